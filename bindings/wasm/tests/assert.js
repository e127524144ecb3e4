// Assertions that work in Node and in browsers.

export function assert(condition, message) {
  if (!condition) throw new Error(message);
}

export function equal(a, b, message) {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  assert(left === right, `${message}: ${left?.slice(0, 300)} is not ${right?.slice(0, 300)}`);
}

/** Returns the `WayforgeError` that `call` throws. */
export function rejected(wayforge, call) {
  try {
    call();
  } catch (error) {
    assert(error instanceof wayforge.WayforgeError, `not a WayforgeError: ${error}`);
    assert(error.message.length > 0 && Array.isArray(error.rules), "message and rules are present");
    return error;
  }
  throw new Error("no error was thrown");
}

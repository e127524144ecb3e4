// What the suite says if a case fails.

export function assert(holds, why) {
    if (!holds) throw new Error(why);
}

export function equal(a, b, why) {
    const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
    assert(left === right, `${why}: ${left?.slice(0, 300)} is not ${right?.slice(0, 300)}`);
}

/** What `call` throws, which must be an error of Wayforge's. */
export function rejected(wayforge, call) {
    try {
        call();
    } catch (error) {
        assert(error instanceof wayforge.WayforgeError, `not ours: ${error}`);
        assert(error.message.length > 0 && Array.isArray(error.rules), "an error with everything");
        return error;
    }
    throw new Error("was not rejected");
}

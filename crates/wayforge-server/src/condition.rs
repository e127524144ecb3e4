//! Conditions on what the caller has seen: `ETag`, `If-None-Match`, `If-Match`.

/// True if a list of tags names `tag`; `*` names any. Weak tags count: what they stand for is the same map.
pub(crate) fn names(list: &str, tag: &str) -> bool {
    list.split(',').map(str::trim).any(|one| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_tags() {
        assert!(names("\"a\"", "\"a\"") && names("\"b\", W/\"a\"", "\"a\"") && names("*", "\"a\""));
        assert!(!names("\"b\"", "\"a\"") && !names("", "\"a\"") && !names("a", "\"a\""));
    }
}

//! What was used lately, in bounded memory.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

/// Two generations: when the young one is full the old one goes, and what is asked for becomes young again.
pub(crate) struct Recent<K, V> {
    most: usize,
    generations: Mutex<Generations<K, V>>,
}

struct Generations<K, V> {
    young: HashMap<K, (V, usize)>,
    old: HashMap<K, (V, usize)>,
    weight: usize,
}

impl<K: Clone + Eq + Hash, V: Clone> Recent<K, V> {
    /// Holds what weighs at most `most` together.
    pub(crate) fn new(most: usize) -> Recent<K, V> {
        let generations = Generations { young: HashMap::new(), old: HashMap::new(), weight: 0 };
        Recent { most, generations: Mutex::new(generations) }
    }

    pub(crate) fn get(&self, key: &K) -> Option<V> {
        let mut generations = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((value, _)) = generations.young.get(key) {
            return Some(value.clone());
        }
        let (value, weight) = generations.old.remove(key)?;
        generations.add(key.clone(), value.clone(), weight, self.most);
        Some(value)
    }

    /// What is too heavy is not held.
    pub(crate) fn add(&self, key: K, value: V, weight: usize) {
        let mut generations = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
        generations.forget(&key);
        if weight <= self.most / 4 {
            generations.add(key, value, weight, self.most);
        }
    }

    pub(crate) fn forget(&self, key: &K) {
        self.generations.lock().unwrap_or_else(PoisonError::into_inner).forget(key);
    }
}

impl<K: Eq + Hash, V> Generations<K, V> {
    fn forget(&mut self, key: &K) {
        self.old.remove(key);
        if let Some((_, weight)) = self.young.remove(key) {
            self.weight -= weight;
        }
    }

    fn add(&mut self, key: K, value: V, weight: usize, most: usize) {
        if self.weight + weight > most / 2 {
            self.old = std::mem::take(&mut self.young);
            self.weight = 0;
        }
        self.young.insert(key, (value, weight));
        self.weight += weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded_and_what_is_used_stays() {
        let recent = Recent::new(1000);
        recent.add(0, 0, 10);
        for key in 1..5000 {
            recent.add(key, key * 2, 1 + key % 97);
            assert_eq!(recent.get(&0), Some(0), "asked for all the time");
            assert_eq!(recent.get(&key), Some(key * 2), "the last one");
            let generations = recent.generations.lock().unwrap();
            let weigh = |held: &HashMap<usize, (usize, usize)>| {
                held.values().map(|(_, weight)| weight).sum::<usize>()
            };
            assert_eq!(weigh(&generations.young), generations.weight);
            assert!(generations.weight + weigh(&generations.old) <= 1000);
        }
        recent.forget(&4999);
        assert_eq!(recent.get(&4999), None);
        recent.add(0, 7, 10);
        assert_eq!(recent.get(&0), Some(7), "the later one counts");
        recent.add(1, 1, 251);
        assert_eq!(recent.get(&1), None, "too heavy");
    }
}

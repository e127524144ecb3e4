//! Landmarks that are counted anew, a little with every query, after water was added.
//!
//! Added water makes landmarks doubtful ([`Bound`](super::bound::Bound)), by as much as it shortens ways, and doubts pile up. Counting anew takes as long
//! as many queries. So it is done on a copy of the water, in slices: a query that meets doubtful landmarks counts for about
//! half as long as it searched.

use super::bound::Rect;
use super::graph::Spots;
use super::landmarks::{Count, Landmarks, Span};
use super::shortcut::MARGIN;
use crate::blocks::Blocks;
use crate::pieces::Pieces;
use crate::query::Moves;

/// More separate places of new water than this make landmarks more work than they are worth; neighbours are merged.
pub(super) const MAX_DOUBTS: usize = 32;

/// Landmarks with four and with eight neighbours, as far as they are wanted, and what they do not know.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    pub(super) of: [Option<Landmarks>; 2],
    /// Where water was added since they were counted.
    pub(super) doubts: Vec<Doubt>,
    recount: Option<Box<Recount>>,
    /// What queries have saved up for the beginning of a count: copying the water takes as long as many of them.
    saved: u64,
}

/// New water that may have shortened ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Doubt {
    pub(super) rect: Rect,
    /// By how many steps at most, with four and with eight neighbours, or [`UNBOUNDED`].
    pub(super) less: [u32; 2],
    /// How far the landmarks are from the water around it, with four and with eight neighbours.
    pub(super) around: [Span; 2],
}

/// When ways may have got shorter by so many steps in all, landmarks are counted anew.
const ENOUGH: u32 = 32;
/// How many blocks a wave reaches in the time that a search needs for a jump point.
const BLOCKS_A_NODE: u64 = 8;
/// A query counts for this part of the time that it searched.
const PART: u64 = 2;
/// How many blocks a wave reaches in the time that it takes to copy one and to make room for what is counted of it.
const BLOCKS_A_COPY: u64 = 4;

/// A count on the water as it was when it began.
#[derive(Clone, Debug)]
struct Recount {
    blocks: Blocks,
    pieces: Pieces,
    counts: [Option<Count>; 2],
    /// Where water was added since it began.
    doubts: Vec<Doubt>,
}

impl Marks {
    /// Counts the landmarks for one kind of moves, unless that was done.
    pub(super) fn prepare(&mut self, moves: Moves, blocks: &Blocks, pieces: &Pieces, spots: &Spots) {
        let marks = &mut self.of[moves as usize];
        if marks.is_none() {
            *marks = Some(Landmarks::new(blocks, pieces, spots, moves));
            // A running count does not know of it.
            self.recount = None;
        }
    }

    /// Notes where water was added, and by how many steps it may have shortened ways.
    pub(super) fn doubt(&mut self, rect: Rect, less: [u32; 2], blocks: &Blocks) {
        add(&mut self.doubts, Doubt { rect, less, around: around(&self.of, blocks, rect) });
        if let Some(recount) = &mut self.recount {
            // What its landmarks know is not counted yet.
            add(&mut recount.doubts, Doubt { rect, less, around: [Span::NOTHING; 2] });
        }
    }

    /// Counts on after a query that reached so many jump points.
    #[inline]
    pub(super) fn pay(&mut self, reached: u64, blocks: &Blocks, pieces: &Pieces, spots: &Spots) {
        if self.recount.is_some()
            || self.doubts.iter().fold(0, |all, doubt| doubt.less[1].saturating_add(all)) > ENOUGH
        {
            let budget = BLOCKS_A_NODE * reached / PART;
            self.saved += budget;
            if self.recount.is_some() || self.saved > BLOCKS_A_COPY * blocks.open.len() as u64 {
                self.saved = 0;
                self.advance(budget, blocks, pieces, spots);
            }
        }
    }

    /// Counts everything anew now, if anything is doubtful.
    pub(super) fn refresh(&mut self, blocks: &Blocks, pieces: &Pieces, spots: &Spots) {
        if !self.doubts.is_empty() {
            self.recount = None;
            self.advance(u64::MAX, blocks, pieces, spots);
        }
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.of.iter().flatten().map(Landmarks::bytes).sum()
    }

    #[cold]
    fn advance(&mut self, budget: u64, blocks: &Blocks, pieces: &Pieces, spots: &Spots) {
        let recount = self.recount.get_or_insert_with(|| {
            let counts =
                MOVES.map(|moves| self.of[moves as usize].as_ref().map(|_| Count::new(blocks, spots, moves)));
            Box::new(Recount { blocks: blocks.clone(), pieces: pieces.clone(), counts, doubts: Vec::new() })
        });
        let (blocks, pieces) = (&recount.blocks, &recount.pieces);
        if recount.counts.iter_mut().flatten().all(|count| count.advance(blocks, pieces, spots, budget)) {
            self.of = recount.counts.each_mut().map(|count| count.take().map(Count::finish));
            self.doubts = std::mem::take(&mut recount.doubts);
            for doubt in &mut self.doubts {
                doubt.around = around(&self.of, blocks, doubt.rect);
            }
            self.recount = None;
        }
    }
}

/// The moves of each of the landmarks.
pub(super) const MOVES: [Moves; 2] = [Moves::Four, Moves::Eight];

/// How far landmarks are from the water around a rectangle.
fn around(marks: &[Option<Landmarks>; 2], blocks: &Blocks, rect: Rect) -> [Span; 2] {
    marks.each_ref().map(|marks| marks.as_ref().map_or(Span::NOTHING, |marks| marks.around(blocks, rect)))
}

/// Adds a doubt. Where one lies in the box that another was judged by, both are one: what is known of each by itself, that
/// ways through it are so much shorter than those around it, may lead through the other. New water by itself that shortens
/// nothing is no doubt.
fn add(doubts: &mut Vec<Doubt>, mut new: Doubt) {
    if new.less == [0, 0] && !doubts.iter().any(|doubt| doubt.rect.is_within(MARGIN.into(), new.rect)) {
        return;
    }
    while let Some(near) = doubts.iter().position(|doubt| doubt.rect.is_within(MARGIN.into(), new.rect)) {
        new = new.with(doubts.swap_remove(near));
    }
    doubts.push(new);
    if doubts.len() > MAX_DOUBTS {
        merge_nearest(doubts);
    }
}

impl Doubt {
    /// Both as one: a way may use both.
    fn with(self, other: Doubt) -> Doubt {
        Doubt {
            rect: self.rect.with(other.rect),
            less: [0, 1].map(|slot| self.less[slot].saturating_add(other.less[slot])),
            around: [0, 1].map(|slot| self.around[slot].with(other.around[slot])),
        }
    }
}

/// Merges the two doubts whose rectangles together are smallest.
fn merge_nearest(doubts: &mut Vec<Doubt>) {
    let mut best = (u64::MAX, 0, 1);
    for i in 0..doubts.len() {
        for j in i + 1..doubts.len() {
            let both = doubts[i].rect.with(doubts[j].rect);
            let side = |a: u16, b: u16| u64::from(b - a) + 1;
            let area = side(both.low.x, both.high.x) * side(both.low.y, both.high.y);
            best = best.min((area, i, j));
        }
    }
    let (_, i, j) = best;
    let other = doubts.swap_remove(j);
    doubts[i] = doubts[i].with(other);
}

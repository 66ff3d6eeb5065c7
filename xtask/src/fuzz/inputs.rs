//! Generates inputs from inputs: cuts, doubles and joins pieces, and replaces them by bytes and
//! words of the language.

/// Maximum size of an input.
const MAX_LENGTH: usize = 64 << 10;

/// Maximum number of kept inputs besides the seeds.
const POPULATION: usize = 2_000;

/// Generates inputs.
pub(super) struct Inputs {
    state: u64,
    population: Vec<Vec<u8>>,
    seeds: usize,
    words: &'static [&'static str],
}

impl Inputs {
    pub(super) fn new(seed: u64, mut seeds: Vec<Vec<u8>>, words: &'static [&'static str]) -> Self {
        seeds.push(Vec::new());
        Self {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            seeds: seeds.len(),
            population: seeds,
            words,
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state % bound.max(1) as u64).unwrap_or(0)
    }

    pub(super) fn next(&mut self) -> Vec<u8> {
        // Half of the inputs derive from seeds, and half from changed inputs.
        let parents = [self.seeds, self.population.len()][self.below(2)];
        let parent = self.below(parents);
        let mut input = self.population[parent].clone();
        for _ in 0..=self.below(6) {
            self.change(&mut input);
        }
        input.truncate(MAX_LENGTH);
        if self.below(20) == 0 {
            if self.population.len() < self.seeds + POPULATION {
                self.population.push(input.clone());
            } else {
                let index = self.seeds + self.below(POPULATION);
                self.population[index].clone_from(&input);
            }
        }
        input
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let from = self.below(input.len() + 1);
        let length = [1, 2, 8, 40, 400][self.below(5)];
        let to = (from + self.below(length) + 1).min(input.len());
        let part = from.min(to)..to;
        match self.below(8) {
            0 => {
                input.drain(part);
            }
            1 => {
                let copy = input[part].to_vec();
                let times = if self.below(20) == 0 {
                    500
                } else {
                    1 + self.below(3)
                };
                input.splice(from..from, copy.repeat(times));
            }
            2 => {
                let other = self.below(self.population.len());
                let at = self.below(self.population[other].len() + 1);
                let end = (at + length).min(self.population[other].len());
                let piece = self.population[other][at..end].to_vec();
                input.splice(from..from, piece);
            }
            3 => {
                let byte = u8::try_from(self.below(256)).unwrap_or(0);
                input.insert(from, byte);
            }
            4 if from < input.len() => input[from] ^= 1 << self.below(8),
            5 if self.below(4) == 0 => input.truncate(from),
            _ => {
                let word = self.words[self.below(self.words.len())];
                let end = if self.below(2) == 0 { from } else { part.end };
                input.splice(from..end, word.bytes());
            }
        }
    }
}

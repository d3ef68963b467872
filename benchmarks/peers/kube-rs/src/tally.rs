use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

/// Knows what was reconciled, and tells the benchmark.
pub struct Tally(Mutex<Counts>);

struct Counts {
    seen: Vec<bool>,
    left: usize,
    last_write: Vec<i64>,
    latencies: Vec<i64>,
    characters: usize,
}

impl Tally {
    pub fn new(objects: usize) -> Self {
        Self(Mutex::new(Counts {
            seen: vec![false; objects],
            left: objects,
            last_write: vec![0; objects],
            latencies: Vec::new(),
            characters: 0,
        }))
    }

    pub fn reconciled(&self, index: usize, written_at: i64, image: &str) {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap()
            .as_micros() as i64;
        let mut counts = self.0.lock().unwrap();
        counts.characters += image.len();
        if !counts.seen[index] {
            counts.seen[index] = true;
            counts.last_write[index] = written_at;
            counts.left -= 1;
            if counts.left == 0 {
                println!(r#"{{"event":"reconciled"}}"#);
            }
        } else if written_at != counts.last_write[index] {
            counts.last_write[index] = written_at;
            counts.latencies.push(now - written_at);
        }
    }

    pub fn report(&self) {
        let counts = self.0.lock().unwrap();
        let answer = serde_json::json!({
            "event": "report",
            "latencies": counts.latencies,
            "characters": counts.characters,
        });
        println!("{answer}");
    }
}

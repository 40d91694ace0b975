//! Pictures of set-ups: the characters that a game draws one with, as small squares.

use std::{collections::BTreeMap, fmt::Write};

use super::described::Tone;

/// Side of one square, in pixels.
const SIDE: usize = 4;
/// By day, and by night.
const COLOURS: [(Tone, &str, &str, &str); 5] = [
    (Tone::Open, "o", "#cfe3ad", "#3c4f33"),
    (Tone::Rock, "r", "#55545a", "#8a8890"),
    (Tone::Water, "w", "#4f9fc6", "#2f7fa6"),
    (Tone::First, "f", "#0b6aa2", "#5eb4ec"),
    (Tone::Second, "s", "#b84700", "#f2935a"),
];

/// Width and height, in pixels.
pub(super) fn size(drawing: &str) -> (usize, usize) {
    let columns = drawing.lines().map(|it| it.chars().count()).max().unwrap_or_default();
    (columns * SIDE, drawing.lines().count() * SIDE)
}

/// The picture. What stands for nothing stays blank.
pub(super) fn svg(drawing: &str, tones: &BTreeMap<char, Tone>) -> String {
    let mut paths: BTreeMap<Tone, String> = BTreeMap::new();
    for (y, line) in drawing.lines().enumerate() {
        let mut run: Option<(Tone, usize, usize)> = None;
        for (x, it) in line.chars().map(Some).chain([None]).enumerate() {
            let tone = it.and_then(|it| tones.get(&it)).copied();
            match run {
                Some((of, _, _)) if tone == Some(of) => continue,
                Some((of, from, y)) => {
                    let n = x - from;
                    let path = paths.entry(of).or_default();
                    // Writing to a string cannot fail.
                    let _ = write!(path, "M{from} {y}h{n}v1h-{n}z");
                }
                None => {}
            }
            run = tone.map(|it| (it, x, y));
        }
    }
    let (width, height) = size(drawing);
    let (columns, rows) = (width / SIDE, height / SIDE);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {columns} {rows}\" shape-rendering=\"crispEdges\"><style>"
    );
    for night in [false, true] {
        svg += if night { "@media(prefers-color-scheme:dark){" } else { "" };
        for (_, class, by_day, by_night) in COLOURS {
            let colour = if night { by_night } else { by_day };
            let _ = write!(svg, ".{class}{{fill:{colour}}}");
        }
        svg += if night { "}" } else { "" };
    }
    svg += "</style>";
    for (tone, class, ..) in COLOURS {
        if let Some(path) = paths.get(&tone) {
            let _ = write!(svg, "<path class=\"{class}\" d=\"{path}\"/>");
        }
    }
    svg + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_become_runs_of_squares() {
        let tones = BTreeMap::from([('.', Tone::Open), ('#', Tone::Rock)]);
        let svg = svg("..##\n#?.\n", &tones);
        assert_eq!(size("..##\n#?.\n"), (16, 8));
        assert!(svg.contains("viewBox=\"0 0 4 2\""), "{svg}");
        assert!(svg.contains("<path class=\"o\" d=\"M0 0h2v1h-2zM2 1h1v1h-1z\"/>"), "{svg}");
        assert!(svg.contains("<path class=\"r\" d=\"M2 0h2v1h-2zM0 1h1v1h-1z\"/>"), "{svg}");
        assert!(!svg.contains("class=\"w\""), "{svg}");
    }
}

//! Rules written in Markdown, made into HTML. HTML in them is shown as the text
//! it is, links lead only where a page may lead, and pictures lie in a folder
//! beside the text.

use std::collections::BTreeSet;

use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html,
};

/// A text and its headings.
pub(super) struct Rendered {
    pub(super) html: String,
    /// Of the second level: id, and text.
    pub(super) contents: Vec<(String, String)>,
    /// Files that it shows, of the folder `pictures`.
    pub(super) pictures: BTreeSet<String>,
}

/// Renders `text`. Its first heading is left out: the page has its own.
/// `pictures/x` in it becomes `x` below the address `pictures`.
pub(super) fn render(text: &str, pictures: &str) -> Rendered {
    let options = Options::ENABLE_TABLES | Options::ENABLE_SMART_PUNCTUATION;
    let mut events: Vec<Event> = Parser::new_ext(text, options).map(harmless).collect();
    drop_title(&mut events);
    let contents = mark_headings(&mut events);
    let shown = place_pictures(&mut events, pictures);
    mark_conversations(&mut events);
    let mut out = String::new();
    html::push_html(&mut out, events.into_iter());
    Rendered { html: out, contents, pictures: shown }
}

fn harmless(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Link { link_type, dest_url: safe_url(dest_url), title, id })
        }
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Image { link_type, dest_url: safe_url(dest_url), title, id })
        }
        other => other,
    }
}

fn safe_url(url: CowStr<'_>) -> CowStr<'_> {
    let scheme = url.split(['/', '?', '#']).next().and_then(|it| it.split_once(':'));
    match scheme {
        None | Some(("http" | "https" | "mailto", _)) => url,
        Some(_) => CowStr::Borrowed("#"),
    }
}

fn drop_title(events: &mut Vec<Event>) {
    let is_title =
        |it: &Event| matches!(it, Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }));
    let ends = |it: &Event| matches!(it, Event::End(TagEnd::Heading(HeadingLevel::H1)));
    if events.first().is_some_and(is_title)
        && let Some(end) = events.iter().position(ends)
    {
        events.drain(..=end);
    }
}

/// Gives every heading an address, and lists those of the second level.
fn mark_headings(events: &mut [Event]) -> Vec<(String, String)> {
    let mut contents = Vec::new();
    let mut taken = BTreeSet::new();
    for at in 0..events.len() {
        let Event::Start(Tag::Heading { level, .. }) = &events[at] else { continue };
        let level = *level;
        let inside =
            events[at + 1..].iter().take_while(|it| !matches!(it, Event::End(TagEnd::Heading(_))));
        let words = inside.filter_map(|it| match it {
            Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
            _ => None,
        });
        let text = words.collect::<String>();
        let mut slug = slug(&text);
        while !taken.insert(slug.clone()) {
            slug.push('-');
        }
        if let Event::Start(Tag::Heading { id, .. }) = &mut events[at] {
            *id = Some(CowStr::from(slug.clone()));
        }
        if level == HeadingLevel::H2 {
            contents.push((slug, text));
        }
    }
    contents
}

/// Gives pictures beside the text the address they are served at, and lists them.
fn place_pictures(events: &mut [Event], address: &str) -> BTreeSet<String> {
    let mut shown = BTreeSet::new();
    for event in events {
        let Event::Start(Tag::Image { dest_url, .. }) = event else { continue };
        if let Some(file) = dest_url.strip_prefix("pictures/") {
            let file = file.to_owned();
            *dest_url = CowStr::from(format!("{address}/{file}"));
            shown.insert(file);
        }
    }
    shown
}

/// Code fenced as `conversation NAME` is what a bot of this name and the judge
/// say to each other: lines after `>` are the bot's, those after `<` the judge's.
fn mark_conversations(events: &mut Vec<Event>) {
    let mut marked = Vec::with_capacity(events.len());
    let mut inside = false;
    for event in events.drain(..) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info)))
                if info.starts_with("conversation ") =>
            {
                inside = true;
                let who = escaped(info.trim_start_matches("conversation ").trim());
                let head = format!(
                    "<figure class=\"conversation\"><figcaption>The {who} <span class=\"soft\">and the judge</span></figcaption><pre tabindex=\"0\" aria-label=\"What the {who} and the judge say\"><code>"
                );
                marked.push(Event::Html(head.into()));
            }
            Event::End(TagEnd::CodeBlock) if inside => {
                inside = false;
                marked.push(Event::Html("</code></pre></figure>\n".into()));
            }
            Event::Text(text) if inside => {
                let lines = text.lines().map(|line| {
                    let class = if line.starts_with('>') { "bot" } else { "judge" };
                    format!("<span class=\"{class}\">{}</span>\n", escaped(line))
                });
                marked.push(Event::Html(lines.collect::<String>().into()));
            }
            other => marked.push(other),
        }
    }
    *events = marked;
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn slug(text: &str) -> String {
    let words = text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_become_html_and_nothing_else_does() {
        let table = [
            ("# Title\n\ntext", "<p>text</p>\n"),
            ("## A b\n", "<h2 id=\"a-b\">A b</h2>\n"),
            ("<b>x</b>", "<p>&lt;b&gt;x&lt;/b&gt;</p>\n"),
            ("<script>x</script>", "&lt;script&gt;x&lt;/script&gt;"),
            ("[a](javascript:x)", "<p><a href=\"#\">a</a></p>\n"),
            ("[a](#a-b)", "<p><a href=\"#a-b\">a</a></p>\n"),
        ];
        for (text, expected) in table {
            assert_eq!(render(text, "/p").html, expected, "{text}");
        }
    }

    #[test]
    fn conversations_tell_apart_who_says_what() {
        let text = "```conversation architect\n> Clock\n< 2 <b>\n```\n";
        let html = render(text, "/p").html;
        for part in [
            "<figcaption>The architect ",
            "<span class=\"bot\">&gt; Clock</span>",
            "<span class=\"judge\">&lt; 2 &lt;b&gt;</span>",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }

    #[test]
    fn headings_of_the_second_level_are_the_contents() {
        let contents = render("# T\n## One `x`\n### Sub\n## Two\n## Two\n", "/p").contents;
        let expected = [("one-x", "One x"), ("two", "Two"), ("two-", "Two")];
        assert_eq!(contents, expected.map(|(id, text)| (id.to_owned(), text.to_owned())));
    }

    #[test]
    fn pictures_beside_the_text_are_listed_and_get_their_address() {
        let rendered =
            render("![a board](pictures/board.svg) ![far](https://x.example/y.png)", "/p");
        assert!(rendered.html.contains(r#"<img src="/p/board.svg" alt="a board" />"#));
        assert!(rendered.html.contains(r#"src="https://x.example/y.png""#));
        assert_eq!(rendered.pictures, BTreeSet::from(["board.svg".to_owned()]));
    }
}

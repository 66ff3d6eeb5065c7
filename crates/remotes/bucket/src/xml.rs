//! Reads the XML documents of object stores. Pure.

use std::collections::HashSet;

use percent_encoding::percent_decode_str;
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::Event;

/// Maximum depth of elements. The documents of the protocol have four levels.
const MAX_DEPTH: usize = 16;
/// The name of an element whose text is percent-encoded, because XML cannot hold it.
const ENCODED_NAME: &str = "Name Encoded";

/// One page of a listing of S3.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Keys with their entity tags, in the order of the store.
    pub objects: Vec<(String, String)>,
    /// Whether another page follows.
    pub is_truncated: bool,
    /// The continuation token, or the marker of the first version of the protocol.
    pub next: Option<String>,
}

/// One page of the blobs of a container of Azure.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct BlobPage {
    /// Names with their entity tags in quotes, without directories.
    pub blobs: Vec<(String, String)>,
    /// The marker of the next page.
    pub next: Option<String>,
}

/// The document of a failure.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ErrorDocument {
    /// Code of S3, such as `NoSuchKey`.
    pub code: String,
    /// Message.
    pub message: String,
    /// The region of the bucket.
    pub region: String,
}

/// The text is not the expected document.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the answer is not a document of the store: {0}")]
pub struct XmlError(String);

impl Page {
    /// Parses the text of an answer.
    pub fn parse(text: &str) -> Result<Self, XmlError> {
        let mut page = Self::default();
        let (mut is_encoded, mut marker) = (false, None);
        let (mut keys, mut etags): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        each_leaf(text, |path, value| match path {
            [_, "EncodingType"] => is_encoded = value == "url",
            [_, "IsTruncated"] => page.is_truncated = value == "true",
            [_, "NextContinuationToken"] => page.next = Some(value),
            [_, "NextMarker"] => marker = Some(value),
            [_, "Contents", "Key"] => keys.push(value),
            [_, "Contents", "ETag"] => etags.push(value.trim_matches('"').to_owned()),
            _ => {}
        })?;
        if keys.len() != etags.len() {
            return Err(XmlError("an object has no key or no entity tag".to_owned()));
        }
        if is_encoded {
            marker = marker.map(|marker| decode(&marker));
            keys = keys.iter().map(|key| decode(key)).collect();
        }
        page.next = page.next.or(marker);
        page.objects = keys.into_iter().zip(etags).collect();
        Ok(page)
    }
}

impl BlobPage {
    /// Parses the text of an answer.
    pub fn parse(text: &str) -> Result<Self, XmlError> {
        let mut page = Self::default();
        let (mut names, mut etags) = (Vec::new(), Vec::new());
        let mut directories = HashSet::new();
        each_leaf(
            text.trim_start_matches('\u{feff}'),
            |path, value| match path {
                [_, "NextMarker"] => page.next = Some(value).filter(|value| !value.is_empty()),
                [_, "Blobs", "Blob", "Name"] => names.push(value),
                [_, "Blobs", "Blob", ENCODED_NAME] => names.push(percent_decoded(&value)),
                [_, "Blobs", "Blob", "Properties", "Etag"] => {
                    etags.push(format!("\"{}\"", value.trim_matches('"')));
                }
                [_, "Blobs", "Blob", "Properties", "ResourceType"] if value == "directory" => {
                    directories.insert(names.len());
                }
                _ => {}
            },
        )?;
        if names.len() != etags.len() {
            return Err(XmlError("a blob has no name or no entity tag".to_owned()));
        }
        let blobs = names.into_iter().zip(etags).enumerate();
        let is_blob = |(at, _): &(usize, _)| !directories.contains(&(at + 1));
        page.blobs = blobs.filter(is_blob).map(|(_, blob)| blob).collect();
        Ok(page)
    }
}

impl ErrorDocument {
    /// Parses the text of an answer.
    pub fn parse(text: &str) -> Result<Self, XmlError> {
        let mut document = Self::default();
        each_leaf(text, |path, value| match path {
            ["Error", "Code"] => document.code = value,
            ["Error", "Message"] => document.message = value,
            ["Error", "Region"] => document.region = value,
            _ => {}
        })?;
        Ok(document)
    }
}

/// The region in an answer about the location of a bucket.
pub(crate) fn location(text: &str) -> Result<String, XmlError> {
    let mut region = String::new();
    each_leaf(text, |path, value| {
        if let ["LocationConstraint"] = path {
            region = value;
        }
    })?;
    Ok(match region.as_str() {
        "" => "us-east-1".to_owned(),
        "EU" => "eu-west-1".to_owned(),
        _ => region,
    })
}

/// Calls `visit` for each element without children, with the local names of its path and its text.
fn each_leaf(text: &str, mut visit: impl FnMut(&[&str], String)) -> Result<(), XmlError> {
    let mut reader = Reader::from_str(text);
    let mut path: Vec<String> = Vec::new();
    let mut value = String::new();
    let mut is_leaf = false;
    let invalid = |error: &dyn std::fmt::Display| XmlError(error.to_string());
    loop {
        match reader.read_event().map_err(|error| invalid(&error))? {
            Event::Start(element) => {
                if path.len() == MAX_DEPTH {
                    return Err(XmlError("elements are nested too deeply".to_owned()));
                }
                let encoded = element.try_get_attribute("Encoded");
                let encoded = encoded.map_err(|error| invalid(&error))?;
                path.push(if encoded.is_some_and(|it| it.value.as_ref() == b"true") {
                    ENCODED_NAME.to_owned()
                } else {
                    String::from_utf8_lossy(element.local_name().as_ref()).into_owned()
                });
                value.clear();
                is_leaf = true;
            }
            Event::Empty(element) => {
                let name = element.local_name();
                let name = String::from_utf8_lossy(name.as_ref()).into_owned();
                let names: Vec<&str> = path.iter().map(String::as_str).chain([&*name]).collect();
                visit(&names, String::new());
                is_leaf = false;
            }
            Event::Text(text) => {
                value.push_str(&text.decode().map_err(|error| invalid(&error))?);
            }
            Event::CData(text) => {
                value.push_str(&text.decode().map_err(|error| invalid(&error))?);
            }
            Event::GeneralRef(reference) => {
                let reference = reference.decode().map_err(|error| invalid(&error))?;
                let entity = format!("&{reference};");
                value.push_str(&unescape(&entity).map_err(|error| invalid(&error))?);
            }
            Event::End(_) => {
                if is_leaf {
                    let names: Vec<&str> = path.iter().map(String::as_str).collect();
                    visit(&names, std::mem::take(&mut value));
                }
                is_leaf = false;
                path.pop();
            }
            Event::DocType(_) => return Err(XmlError("it has a document type".to_owned())),
            Event::Eof if path.is_empty() => return Ok(()),
            Event::Eof => return Err(XmlError("the document is incomplete".to_owned())),
            _ => {}
        }
    }
}

/// Decodes a form value.
fn decode(text: &str) -> String {
    percent_decoded(&text.replace('+', " "))
}

fn percent_decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_has_keys_tags_and_token() {
        let page = Page::parse(
            r#"<?xml version="1.0" encoding="UTF-8"?>
            <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
              <Name>apps</Name><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>
              <NextContinuationToken>a&amp;b</NextContinuationToken>
              <Contents><Key>a%2Bb+c%C3%A9</Key><ETag>"1"</ETag><Owner><ID>x</ID></Owner></Contents>
              <Contents><ETag>&quot;2&quot;</ETag><Key>plain</Key></Contents>
              <Contents><Key>empty</Key><ETag/></Contents>
            </ListBucketResult>"#,
        )
        .unwrap();
        assert!(page.is_truncated);
        assert_eq!(page.next.as_deref(), Some("a&b"));
        let keys: Vec<&str> = page.objects.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["a+b cé", "plain", "empty"]);
        assert_eq!(page.objects[0].1, "1");
    }

    #[test]
    fn keys_are_not_decoded_without_encoding_type() {
        let text = "<ListBucketResult><Contents><Key>a%2Bb</Key><ETag/></Contents>\
                    <NextMarker>m</NextMarker></ListBucketResult>";
        let page = Page::parse(text).unwrap();
        assert_eq!(page.objects, [("a%2Bb".to_owned(), String::new())]);
        assert_eq!(page.next.as_deref(), Some("m"));
    }

    #[test]
    fn broken_or_deep_document_is_refused() {
        let deep = "<a>".repeat(MAX_DEPTH + 1);
        for text in [
            "<ListBucketResult><Contents>",
            "<a></b>",
            "<a>&unknown;</a>",
            "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
            &deep,
        ] {
            assert!(Page::parse(text).is_err(), "{text}");
        }
        assert_eq!(Page::parse("").unwrap(), Page::default());
    }

    #[test]
    fn blobs_have_names_and_quoted_tags() {
        let page = BlobPage::parse(
            "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>
            <EnumerationResults ServiceEndpoint=\"https://a\" ContainerName=\"apps\"><Blobs>
              <Blob><Name>a b/c&amp;d</Name><Properties><Etag>0x1</Etag></Properties></Blob>
              <Blob><Name>dir</Name><Properties><Etag>0x2</Etag>
                <ResourceType>directory</ResourceType></Properties></Blob>
              <Blob><Name Encoded=\"true\">e%EF%BF%BEf</Name>
                <Properties><Etag>\"0x3\"</Etag></Properties></Blob>
            </Blobs><NextMarker>2!8</NextMarker></EnumerationResults>",
        )
        .unwrap();
        let blob = |name: &str, etag: &str| (name.to_owned(), etag.to_owned());
        assert_eq!(
            page.blobs,
            [blob("a b/c&d", "\"0x1\""), blob("e\u{fffe}f", "\"0x3\"")]
        );
        assert_eq!(page.next.as_deref(), Some("2!8"));
        let last = BlobPage::parse("<E><Blobs/><NextMarker/></E>").unwrap();
        assert_eq!(last, BlobPage::default());
        assert!(BlobPage::parse("<E><Blobs><Blob><Name>a</Name></Blob></Blobs></E>").is_err());
    }

    #[test]
    fn location_has_names_for_old_regions() {
        let of = |text: &str| location(&format!("<LocationConstraint>{text}</LocationConstraint>"));
        assert_eq!(of("").unwrap(), "us-east-1");
        assert_eq!(of("EU").unwrap(), "eu-west-1");
        assert_eq!(of("eu-north-1").unwrap(), "eu-north-1");
        assert_eq!(location("<LocationConstraint/>").unwrap(), "us-east-1");
    }
}

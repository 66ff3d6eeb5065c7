//! Pages of object stores: no page makes a reader panic, hang or use unbounded memory.

use sluice_bucket::{BlobPage, ErrorDocument, GooglePage, Index, Page};
use sluice_digest::Algorithm;

use super::Target;

/// Reads a page in the protocol that the first byte names, and makes the paths of its keys.
pub(super) const PAGES: Target = Target {
    name: "bucket-pages",
    run: |bytes| {
        let Some((protocol, page)) = bytes.split_first() else {
            return;
        };
        let Ok(page) = str::from_utf8(page) else {
            return;
        };
        match protocol {
            b'a' => {
                if let Ok(page) = BlobPage::parse(page) {
                    index(page.blobs.iter().map(|(key, _)| &**key));
                }
            }
            b'e' => drop(ErrorDocument::parse(page).map_err(|error| error.to_string())),
            b'g' => {
                if let Ok(page) = GooglePage::parse(page) {
                    index(page.keys());
                }
            }
            _ => {
                if let Ok(page) = Page::parse(page) {
                    index(page.objects.iter().map(|(key, _)| &**key));
                }
            }
        }
    },
    seeds: || {
        let seeds = [
            r#"s<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;b</NextContinuationToken><Contents><Key>a%2Bb/c</Key><ETag>"1"</ETag></Contents><Contents><Key>d</Key><ETag>&quot;2&quot;</ETag></Contents></ListBucketResult>"#,
            "s<ListBucketResult><Contents><Key>a/b</Key><ETag/></Contents><Contents><Key>a</Key><ETag/></Contents><NextMarker>m</NextMarker></ListBucketResult>",
            r#"a<?xml version="1.0" encoding="utf-8"?><EnumerationResults><Blobs><Blob><Name>a b/c&amp;d</Name><Properties><Etag>0x1</Etag></Properties></Blob><Blob><Name Encoded="true">e%EF</Name><Properties><Etag>0x3</Etag><ResourceType>directory</ResourceType></Properties></Blob></Blobs><NextMarker>2!8</NextMarker></EnumerationResults>"#,
            r#"g{"items":[{"name":"a/../b","etag":"CAE=","generation":"1"},{"name":"c","etag":"CAI=","generation":"2"}],"nextPageToken":"t"}"#,
            r"e<Error><Code>NoSuchKey</Code><Message><![CDATA[no]]></Message><Region>eu</Region></Error>",
        ];
        seeds.map(|seed| seed.as_bytes().to_vec()).into()
    },
    words: &[
        "<Contents>",
        "</Contents>",
        "<Contents><Key>a</Key><ETag>b</ETag></Contents>",
        "<Blob><Name>a</Name><Properties><Etag>b</Etag></Properties></Blob>",
        "<ResourceType>directory</ResourceType>",
        "<Key/>",
        "<Name Encoded=\"true\">",
        "<!DOCTYPE a [<!ENTITY b 'c'>]>",
        "<![CDATA[",
        "]]>",
        "<!--",
        "<a>",
        "&amp;",
        "&#x10FFFF;",
        "&b;",
        "%2F",
        "../",
        "//",
        "\"items\":[",
        "{\"name\":\"a\",\"etag\":\"b\",\"generation\":\"1\"},",
        "\"nextPageToken\":\"\"",
    ],
};

/// Makes the paths and the revision of a bucket. Files of a bucket do not hide each other.
fn index<'a>(keys: impl Iterator<Item = &'a str>) {
    let mut index = Index::default();
    for key in keys {
        index.insert(key, "1");
    }
    drop(index.digest(Algorithm::Sha256));
    if let Ok(files) = index.files() {
        assert_eq!(files.len(), index.len());
        for path in files.keys() {
            assert!((1..path.len()).all(|depth| !files.contains_key(&path[..depth])));
        }
    }
}

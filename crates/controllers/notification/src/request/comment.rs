//! Describes comments on pull requests. A hidden marker finds a comment, so that a later event
//! replaces its text.

use serde_json::Value;

use super::{HttpRequest, ResponseError, check_status};

/// Comments per page of a list.
pub const PAGE_SIZE: usize = 100;

/// A comment to write or to replace.
#[derive(Clone, Debug, PartialEq)]
pub struct Comment {
    /// Reads the name of the authenticated user. A GitHub App has none.
    pub user: Option<HttpRequest>,
    /// Reads the first page of comments.
    pub list: HttpRequest,
    /// Creates the comment.
    pub create: HttpRequest,
    /// Replaces a comment whose id is appended to the path.
    pub update: HttpRequest,
    /// Text that marks comments of this Provider about the object.
    pub marker: String,
    /// Names of fields.
    pub form: Form,
}

/// A host's field names of comments and users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `login` of `user`.
    Github,
    /// `username` of `author`.
    Gitlab,
}

/// Search result of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentSearch {
    /// The comment with this id.
    Found(u64),
    /// The page lacks the comment, and is the last one.
    Absent,
    /// The page lacks the comment, and more pages follow.
    NextPage,
}

impl Comment {
    /// Returns the user name of a GitHub App.
    pub fn app_login(slug: &str) -> String {
        format!("{slug}[bot]")
    }

    /// Returns the request for a page of comments, counted from 1.
    pub fn page(&self, number: usize) -> HttpRequest {
        let mut request = self.list.clone();
        if number > 1 {
            let pairs: Vec<(String, String)> = request
                .url
                .query_pairs()
                .filter(|(key, _)| key != "page")
                .map(|(key, value)| (key.into_owned(), value.into_owned()))
                .collect();
            let mut query = request.url.query_pairs_mut();
            query.clear().extend_pairs(pairs);
            query.append_pair("page", &number.to_string()).finish();
        }
        request
    }

    /// Parses the user name from the response to [`Comment::user`].
    pub fn login(&self, status: u16, body: &[u8]) -> Result<String, ResponseError> {
        let answer = read(status, body)?;
        let field = match self.form {
            Form::Github => "login",
            Form::Gitlab => "username",
        };
        let login = answer[field].as_str().filter(|login| !login.is_empty());
        let missing = || ResponseError::Unreadable(format!("the user has no field {field}"));
        login.map(str::to_owned).ok_or_else(missing)
    }

    /// Searches the response to [`Comment::page`] for the user's comment.
    pub fn find(
        &self,
        login: &str,
        status: u16,
        body: &[u8],
    ) -> Result<CommentSearch, ResponseError> {
        let answer = read(status, body)?;
        let comments = answer.as_array().map_or(&[][..], Vec::as_slice);
        let found = comments.iter().find_map(|comment| {
            let author = match self.form {
                Form::Github => &comment["user"]["login"],
                Form::Gitlab => &comment["author"]["username"],
            };
            let text = comment["body"].as_str().unwrap_or_default();
            let is_ours = author == login && text.contains(&self.marker);
            is_ours.then(|| comment["id"].as_u64()).flatten()
        });
        Ok(match found {
            Some(id) => CommentSearch::Found(id),
            None if comments.len() < PAGE_SIZE => CommentSearch::Absent,
            None => CommentSearch::NextPage,
        })
    }

    /// Returns the request that replaces a comment.
    pub fn replace(&self, id: u64) -> HttpRequest {
        let mut request = self.update.clone();
        let path = format!("{}/{id}", request.url.path());
        request.url.set_path(&path);
        request
    }
}

fn read(status: u16, body: &[u8]) -> Result<Value, ResponseError> {
    check_status(status, body)?;
    serde_json::from_slice(body).map_err(|error| ResponseError::Unreadable(error.to_string()))
}

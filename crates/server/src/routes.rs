//! A router that knows what it answers: axum's cannot be asked, and the test
//! of refusals must miss no route.

use axum::{
    Router,
    handler::Handler,
    http::Method,
    routing::{MethodFilter, on},
};

use crate::AppState;

/// One thing there is to ask. `HEAD` is answered wherever `GET` is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// Its method.
    pub method: Method,
    /// Its path, with a name in braces for each part that varies.
    pub path: &'static str,
}

/// Routes on their way to become a router: one line for each handler.
#[derive(Default)]
pub(crate) struct Routes {
    router: Router<AppState>,
    list: Vec<Route>,
}

impl Routes {
    pub(crate) fn get<T: 'static>(
        self,
        path: &'static str,
        handler: impl Handler<T, AppState>,
    ) -> Routes {
        self.with(MethodFilter::GET, Method::GET, path, handler)
    }

    pub(crate) fn post<T: 'static>(
        self,
        path: &'static str,
        handler: impl Handler<T, AppState>,
    ) -> Routes {
        self.with(MethodFilter::POST, Method::POST, path, handler)
    }

    pub(crate) fn put<T: 'static>(
        self,
        path: &'static str,
        handler: impl Handler<T, AppState>,
    ) -> Routes {
        self.with(MethodFilter::PUT, Method::PUT, path, handler)
    }

    pub(crate) fn into_router(self) -> Router<AppState> {
        self.router
    }

    pub(crate) fn into_list(self) -> Vec<Route> {
        self.list
    }

    fn with<T: 'static>(
        mut self,
        filter: MethodFilter,
        method: Method,
        path: &'static str,
        handler: impl Handler<T, AppState>,
    ) -> Routes {
        self.router = self.router.route(path, on(filter, handler));
        self.list.push(Route { method, path });
        self
    }
}

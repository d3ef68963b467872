//! The benchmark's controller on kube-rs: a `Controller` as its guide shows it. `../README.md` has the
//! protocol that it speaks.
mod tally;
mod widget;

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use kube::runtime::controller::{Action, Controller};
use kube::runtime::watcher;
use kube::{Api, Client};
use tally::Tally;
use tokio::io::{AsyncBufReadExt, BufReader};
use widget::Widget;

#[derive(Debug, thiserror::Error)]
#[error("never happens")]
struct Never;

async fn reconcile(widget: Arc<Widget>, tally: Arc<Tally>) -> Result<Action, Never> {
    tally.reconciled(
        widget.spec.index,
        widget.spec.written_at,
        &widget.spec.image,
    );
    Ok(Action::await_change())
}

fn retry(_: Arc<Widget>, _: &Never, _: Arc<Tally>) -> Action {
    Action::requeue(Duration::from_secs(1))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let objects = arguments
        .iter()
        .position(|argument| argument == "--objects")
        .and_then(|at| arguments.get(at + 1))
        .ok_or("--objects is missing")?
        .parse()?;
    let mut config = watcher::Config::default();
    if arguments.iter().any(|argument| argument == "--watch-list") {
        config = config.streaming_lists();
    }

    let tally = Arc::new(Tally::new(objects));
    let widgets: Api<Widget> = Api::all(Client::try_default().await?);
    let controller = Controller::new(widgets, config)
        .run(reconcile, retry, tally.clone())
        .for_each(|result| async move {
            if let Err(error) = result {
                eprintln!("{error}");
            }
        });

    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    let asked = async {
        while let Ok(Some(_)) = lines.next_line().await {
            tally.report();
        }
    };
    tokio::select! {
        () = controller => {}
        () = asked => {}
    }
    std::process::exit(0);
}

//! Chooses the controller that is killed in each step of a life, and the moment.
//!
//! A life is one fleet from its bootstrap to its end, with one kill in each step. Its number
//! chooses the victims, so that all lives together kill each controller at each moment of each
//! step.

use super::pods::Topology;

/// A step of a life. A controller is killed while it is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// The command `bootstrap` runs. It is killed too, and repeated.
    Bootstrap,
    /// The controllers apply the repository for the first time.
    Convergence,
    /// A commit changes an object of a Kustomization.
    Change,
    /// A commit changes the values of a release.
    Upgrade,
    /// A commit changes a file that an `ArtifactGenerator` copies.
    Artifact,
    /// A new tag becomes a commit and a rollout.
    Image,
    /// A Kustomization is suspended during a change, and resumed.
    Suspension,
    /// The command `uninstall` runs.
    Uninstall,
}

/// When the victim of a step is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    /// As soon as the step has begun.
    AtOnce,
    /// At its first write, before the server receives it.
    BeforeWrite,
    /// At its second write, before it reads the answer.
    AfterWrite,
}

const MOMENTS: [Moment; 3] = [Moment::AtOnce, Moment::BeforeWrite, Moment::AfterWrite];

/// The kill of one step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Strike {
    /// The Deployment whose process is killed.
    pub(super) victim: &'static str,
    pub(super) moment: Moment,
}

impl Strike {
    /// Whether the kill may interrupt an action of Helm.
    pub(super) fn hits_releases(self) -> bool {
        matches!(self.victim, "helm-controller" | "sluice")
    }
}

/// The number of a life, and how its controllers are installed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Life {
    pub(super) number: usize,
    /// Whether kills come at once and the version stays. Such a life takes less than half the time.
    pub(super) is_gentle: bool,
    pub(super) topology: Topology,
}

impl Life {
    /// Returns all lives of a topology.
    pub(super) fn all(topology: Topology) -> Vec<Self> {
        let count = topology.deployments().len() * MOMENTS.len();
        let lives = (0..count).map(|number| Self {
            number,
            is_gentle: false,
            topology,
        });
        lives.collect()
    }

    /// Returns the life of an ordinary run, which kills each controller once or twice.
    pub(super) fn ordinary(topology: Topology) -> Self {
        Self {
            number: 0,
            is_gentle: true,
            topology,
        }
    }

    /// Returns the kill of a step.
    pub(super) fn strike(self, step: Step) -> Strike {
        let (deployments, step) = (self.topology.deployments(), step as usize);
        let moment = self.number / deployments.len() + step;
        Strike {
            victim: deployments[(self.number + step) % deployments.len()],
            moment: if self.is_gentle {
                Moment::AtOnce
            } else {
                MOMENTS[moment % MOMENTS.len()]
            },
        }
    }
}

#[test]
fn lives_kill_each_controller_at_each_moment_of_a_step() {
    for step in [Step::Bootstrap, Step::Image, Step::Uninstall] {
        let lives = Life::all(Topology::Apart);
        let strikes = lives.iter().map(|life| life.strike(step));
        let strikes: std::collections::BTreeSet<_> = strikes
            .map(|strike| (strike.victim, strike.moment as usize))
            .collect();
        assert_eq!(strikes.len(), lives.len(), "{step:?}");
    }
}

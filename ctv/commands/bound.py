"""`ctv bound` and `ctv gain`: what the theory promises, certified unless asked otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bounds.errors import InvalidInput
from ctv.commands.options import Json, ModelOptions, TimesOptions, whole_numbers
from ctv.outputs import check_folder

Within = Annotated[
    float | None,
    typer.Option(help="Refuse, with an estimate, to certify what takes longer.", metavar="SECONDS"),
]
Simulations = Annotated[
    int | None,
    typer.Option(
        help="Simulate so many runs of CTV-fixed too, for the simulation certificate beside the "
        "chain.",
        metavar="WHOLE",
    ),
]
Quick = Annotated[
    bool,
    typer.Option("--quick", help="Floating point only: nothing is certified, some seconds less."),
]


def bound(
    times: TimesOptions,
    model: ModelOptions,
    quick: Quick = False,
    within: Within = None,
    certificate: Annotated[
        Path | None,
        typer.Option(
            help="Write what is needed to check the bounds again (ctv verify --recheck FILE).",
            metavar="FILE",
        ),
    ] = None,
    simulations: Simulations = None,
    json: Json = False,
) -> None:
    """All bounds on information gain and regret for one sequence of evaluation times.

    Every bound is certified: its value is enclosed by ball arithmetic and rounded outward.
    """
    problem = model.problem(times.evaluation_times())  # may refuse, before the slow imports
    from bounds.promises.bounds import bounds_of
    from ctv.commands import verification
    from ctv.show import payload, rivals, screen
    from simulation.after_run.simulated import check_simulations
    from simulation.after_run.simulated_rows import simulated_rows

    if certificate is not None:
        if certificate.is_dir():
            raise InvalidInput("certificate", str(certificate), "is a folder: name a file")
        check_folder(certificate.parent)
    if quick and certificate is not None:
        raise InvalidInput("certificate", str(certificate), "drop --quick: it certifies nothing")

    check_simulations(simulations, problem.delta)
    if quick and simulations is not None:
        raise InvalidInput("simulations", simulations, "drop --quick: it leaves such bounds out")
    with screen.progress("bounds") as advance:
        found = bounds_of(problem, certify=not quick, within=within, advance=advance)
        if simulations is not None:
            found = found.with_rows(
                simulated_rows(
                    problem, runs=simulations,
                    progress=lambda share: advance("simulated runs", share),
                )
            )  # fmt: skip
    if certificate is not None:
        assert found.confidence is not None
        verification.write_bound_certificate(
            certificate, found, found.confidence, payload.project_version()
        )
    if json:
        payload.write({**found.to_dict(), **payload.made_from(problem, times)})
    else:
        screen.show_bounds(found)
        if found.confidence is not None:
            screen.show_confidence(problem, found.confidence)
        rivals.show(found.rivals, found.report)
        if found.rows:
            screen.show_beside(found.rows)


def gain(
    times: TimesOptions,
    model: ModelOptions,
    m: Annotated[
        str, typer.Option(help="Comma list of numbers of rounds.", metavar="LIST")
    ] = "10,20,50,100,200",
    quick: Quick = False,
    within: Within = None,
    box: Annotated[
        bool,
        typer.Option(
            "--box", help="Of the whole box, not of its grid: se, matern32, matern52; minutes."
        ),
    ] = False,
    json: Json = False,
) -> None:
    """The largest information gain of m rounds without drift, from both sides, certified.

    Evaluation times play no part in it.
    """
    wanted = whole_numbers("m", m)
    problem = model.problem(times.evaluation_times())
    from bounds.static_gain.both_sides import box_gains_at, certified_gains_at, gains_at
    from ctv.show import payload, screen

    if quick and box:
        raise InvalidInput("box", "with --quick", "drop one: the box is certified or not at all")
    if within is not None and box:
        raise InvalidInput("within", within, "drop it: it is known for the grid, not with --box")
    with screen.progress("gain") as advance:
        if quick or box:
            found = (gains_at if quick else box_gains_at)(problem, wanted, advance)
        else:
            found = certified_gains_at(problem, wanted, advance, within)
    if json:
        domain = "box" if box else "grid"
        payload.write({**payload.of_gains(problem, found, times), "domain": domain})
    else:
        screen.show_gains(problem, found)
        if box:
            screen.say("Upper side: over the whole box; lower side: of designs on its grid.")

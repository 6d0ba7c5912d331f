"""The command line: options in, one value of the packages computed, a table or JSON out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from bounds.errors import InvalidInput
from ctv.commands.application import OneLineErrors
from ctv.commands.bound import bound, gain
from ctv.commands.certify import certify
from ctv.commands.coverage import coverage
from ctv.commands.fit import fit
from ctv.commands.ladder import ladder
from ctv.commands.options import (
    Json,
    ModelOptions,
    TimesOptions,
    as_command,
    whole_numbers,
    with_options,
)
from ctv.commands.rates import rates
from ctv.commands.simulate import simulate
from ctv.commands.study_options import DrawnStudyOptions
from ctv.commands.suggest import suggest

Runs = Annotated[
    int,
    typer.Option(help="Simulated runs, with seeds from --seed on.", metavar="WHOLE"),
]
app = typer.Typer(
    cls=OneLineErrors,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and leave.")
    ] = False,
) -> None:
    """Bounds for time-varying Gaussian process bandits whose evaluations take unequal time."""
    if version:
        from ctv.show.payload import project_version

        print(f"ctv {project_version()}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit


app.command()(with_options(bound))


@app.command()
@with_options
def partition(
    times: TimesOptions,
    model: ModelOptions,
    objective: Annotated[
        str, typer.Option(help="theorem1, additive or refined.", metavar="NAME")
    ] = "refined",
    compare: Annotated[
        str,
        typer.Option(
            help="Comma list of best, equal:L (blocks of L rounds) and cuts:0-60-240.",
            metavar="LIST",
        ),
    ] = "best",
    gamma: Annotated[
        Path | None,
        typer.Option(
            help="JSON list γ_0..γ_n to use instead of the computed curve.", metavar="FILE.json"
        ),
    ] = None,
    json: Json = False,
) -> None:
    """The best partition of the rounds into blocks, for one of the three bounds."""
    given = model.problem(times.evaluation_times())  # may refuse, before the slow imports
    from bounds.partitions.compare import compare_partitions, named_partitions
    from bounds.partitions.search import checked_gains
    from bounds.static_gain.both_sides import gain_curve
    from ctv.inputs import read_gamma
    from ctv.show import payload, screen

    with screen.progress("partition") as advance:
        named_partitions(objective, compare, given.n)  # may refuse, before anything long
        if gamma is None:
            advance("gain without drift", 0.0)
            prices = gain_curve(given).values
        else:
            prices = checked_gains(read_gamma(gamma), given.n)
        compared = compare_partitions(given, prices, objective, compare, advance)
    if json:
        payload.write(payload.of_partition(given, compared.best, compared.rows, times))
    else:
        screen.show_partition(given, compared.best, compared.rows)


@app.command()
@with_options
def uniformity(
    times: TimesOptions,
    model: ModelOptions,
    block: Annotated[
        tuple[str, str] | None,
        typer.Option(help="Only the rounds K0+1 … K0+I.", metavar="K0 I"),
    ] = None,
    json: Json = False,
) -> None:
    """How unequally spaced the evaluation times are: C of Theorem 1."""
    problem = model.problem(times.evaluation_times())  # may refuse, before the slow imports
    from bounds.partitions.uniformity import cap_of
    from bounds.partitions.uniformity import uniformity as uniformity_of
    from ctv.show import payload, screen

    chosen, first, last = problem.times, 1, problem.n
    if block is not None:
        before, length = whole_numbers("block", ",".join(block))
        if not (before >= 0 and length >= 1 and before + length <= problem.n):
            raise InvalidInput(
                "block", f"{before} {length}", f"give K0 >= 0, I >= 1 with K0 + I <= {problem.n}"
            )
        chosen, first, last = (
            problem.times.block(before, before + length),
            before + 1,
            before + length,
        )
    cap = cap_of(problem.epsilon)
    value = uniformity_of(chosen, cap)
    if json:
        origin = payload.made_from(problem, times)
        payload.write({"uniformity": value, "cap": cap, "rounds": [first, last], **origin})
    else:
        screen.show_uniformity(chosen, cap, value, f"{first} … {last}")


app.command()(with_options(gain))

app.command()(with_options(rates))
app.command()(with_options(certify))
app.command()(with_options(fit))
app.command()(with_options(suggest))
app.command()(with_options(ladder))
app.command()(with_options(coverage))


app.command()(with_options(simulate))


@app.command()
@with_options
def figure(
    name: Annotated[
        str,
        typer.Argument(
            help="bound-vs-regret, partition, gain, ladder, rates, rivals or certificates of one "
            "problem; "
            "coverage of the bundled study; "
            "regret-uniform, regret-biased, length or ei of the paper's experiments.",
            metavar="NAME",
        ),
    ],
    times: TimesOptions,
    model: ModelOptions,
    studies: DrawnStudyOptions,
    out: Annotated[
        Path | None,
        typer.Option(help="File, .png, .pdf or .svg (default out/NAME.png).", metavar="FILE"),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(
            help="Simulated runs, with seeds from --seed on (default 8; of experiments 30).",
            metavar="WHOLE",
        ),
    ] = None,
    exploration: Annotated[
        str | None,
        typer.Option(
            help="Of the runs: beta, sqrt-beta or theory (default theory; of experiments beta).",
            metavar="NAME",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """One figure: of one problem, or of the paper's experiments."""
    problem = model.problem(times.evaluation_times())  # may refuse, before the slow imports
    from ctv.commands import paper
    from ctv.figures import canvas
    from ctv.gallery.problem import FIGURES, checked_runs
    from ctv.show import payload, screen, study_payload

    if name not in (*FIGURES, *paper.REGRET_FIGURES):
        known = ", ".join((*FIGURES, *paper.REGRET_FIGURES))
        raise InvalidInput("figure", name, f"use {known}")
    path = canvas.checked_path(Path("out") / f"{name}.png" if out is None else out)
    of_paper = name in paper.REGRET_FIGURES
    seeds = checked_runs(
        runs if runs is not None else 30 if of_paper else 8,
        times.seed,
        exploration or ("beta" if of_paper else "theory"),
    )
    if of_paper:
        options = studies.of_runs(seeds, exploration or "beta")
        with screen.progress(name) as advance:
            drawn, shown = paper.draw_figure(name, times, model, options, advance)
            canvas.save(drawn, path)
        origin = study_payload.of_figure(shown, options)
    else:
        studies.refuse(name)
        with screen.progress(name) as advance:
            canvas.save(FIGURES[name](problem, seeds, exploration or "theory", advance), path)
        origin = payload.made_from(problem, times)
    if json:
        payload.write({"path": path, "figure": name, **origin})
    else:
        screen.say(f"Wrote {path}")


@app.command()
@with_options
def report(
    times: TimesOptions,
    model: ModelOptions,
    out: Annotated[Path, typer.Option(help="Folder for report.html.", metavar="DIR")] = Path("out"),
    runs: Runs = 8,
    study: Annotated[
        Path | None,
        typer.Option(
            help="Folder of simulate --experiment … --out DIR: the paper's sentences about its "
            "experiments, each with a verdict.",
            metavar="DIR",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Everything about one problem as one self-contained HTML page."""
    problem = model.problem(times.evaluation_times())  # may refuse, before the slow imports
    from ctv.gallery.problem import checked_runs, report_content
    from ctv.outputs import check_folder
    from ctv.pages import report as page
    from ctv.show import payload, screen
    from simulation.paper.stored import stored_experiments

    seeds = checked_runs(runs, times.seed, "theory")
    check_folder(out)
    found = () if study is None else stored_experiments(study)
    given = {} if study is None else {"study": study}
    command = as_command("report", times, model, out=out, runs=runs, **given)
    with screen.progress("report") as advance:
        path = page.write(report_content(problem, seeds, command, advance, found), out)
    if json:
        payload.write({"path": path, **payload.made_from(problem, times), "seed": times.seed})
    else:
        screen.say(f"Wrote {path}")


@app.command()
@with_options
def verify(
    ids: Annotated[
        list[str] | None, typer.Argument(help="Claims to examine; all without.", metavar="[ID]...")
    ] = None,
    budget: Annotated[
        str, typer.Option(help="fast (under a minute) or deep.", metavar="NAME")
    ] = "fast",
    only: Annotated[
        str | None,
        typer.Option(help="A verdict such as refuted, findings or unexpected.", metavar="NAME"),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(help="Write what is needed to check the verdicts again.", metavar="FILE"),
    ] = None,
    recheck: Annotated[
        Path | None,
        typer.Option(help="Check such a file by other code instead.", metavar="FILE"),
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(help="Write the ledger as Markdown.", metavar="FILE")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the search.", metavar="WHOLE")] = 0,
    workers: Annotated[
        int | None, typer.Option(help="Processes (default: processors).", metavar="WHOLE")
    ] = None,
    prover: Annotated[
        bool, typer.Option("--prover", help="Ask the proof assistant again, from nothing.")
    ] = False,
    tree: Annotated[
        bool, typer.Option("--tree", help="What one claim rests on, down to what is assumed.")
    ] = False,
    json: Json = False,
) -> None:
    """Is it true? The ledger of the paper's statements, each with a machine's verdict."""
    from ctv.commands import verification
    from ctv.show import payload, screen

    version = payload.project_version()
    if recheck is not None:
        verification.refuse_beside_recheck(
            ids=" ".join(ids or ()) or None, only=only, certificate=certificate, markdown=markdown,
            budget=None if budget == "fast" else budget, seed=seed or None, workers=workers,
        )  # fmt: skip
        with screen.progress("recheck") as advance:
            results = verification.recheck(recheck, advance)
        problem = verification.rechecked_problem(recheck, results)
        absent = verification.absent_claims(recheck)
        if json:
            payload.write(verification.recheck_payload(results, problem, absent, recheck, version))
        else:
            verification.show_recheck(results, problem, absent)
        raise typer.Exit(0 if all(result.accepted for result in results) else 1)
    verification.check_only(only)
    verification.check_paths(certificate=certificate, markdown=markdown)
    if prover:
        found = verification.run_prover(ids or [])
        if json:
            payload.write({"prover": found, "version": version})
        else:
            verification.show_prover(found)
        raise typer.Exit(1 if found["differing"] else 0)
    with screen.progress("verify") as advance:
        ledger = verification.run(ids or [], budget, seed, workers, advance)
    rows = verification.selected(ledger, only)
    if certificate is not None:
        from proofs_check.records import certificate as files

        files.write(certificate, ledger, version)
    if markdown is not None:
        verification.write_markdown(markdown, ledger)
    if json:
        payload.write(verification.payload(ledger, only, version))
    elif tree:
        for name in ids or [row.claim.id for row in rows]:
            verification.show_tree(name, ledger)
    elif len(ids or []) == 1 and len(rows) == 1:
        verification.show_one(rows[0])
    else:
        verification.show(rows, ledger)
    raise typer.Exit(0 if ledger.as_expected else 1)


def main(words: Sequence[str] | None = None) -> None:
    """Run the command line, by default on the words of the process, and leave with an exit code."""
    app(words)

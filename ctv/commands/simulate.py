"""`ctv simulate`: from its options to one study, or to the paper's experiments."""

from __future__ import annotations

from ctv.commands.options import FileOptions, Json, ModelOptions
from ctv.commands.study_options import ReadingOptions, StudyOptions, specified


def simulate(
    file: FileOptions,
    model: ModelOptions,
    study: StudyOptions,
    choices: ReadingOptions,
    json: Json = False,
) -> None:
    """Runs of policies against drawn objectives, and whether they stay within the bounds."""
    # May refuse, before the slow imports.
    spec = specified(file, model, study, choices) if study.experiment is None else None
    from ctv.commands import study_run as experiment
    from ctv.show import payload, screen, study_payload
    from ctv.show import study as study_screen

    if spec is None:
        from ctv.commands import paper
        from ctv.show import experiments as experiment_screen

        with screen.progress("experiments") as advance:
            tables = paper.run_experiments(file, model, study, choices, advance)
        if json:
            payload.write(study_payload.of_experiments(tables, study, choices))
        else:
            experiment_screen.show_experiments(tables)
        return
    with screen.progress("study") as advance:
        found = experiment.run(spec, study, advance)
    if json:
        payload.write(study_payload.of_simulated(found, file, study, choices))
    else:
        study_screen.show_simulated(found)

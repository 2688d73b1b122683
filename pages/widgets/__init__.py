"""Every piece of Streamlit that pages share."""

from pages.widgets.budgets.choosing import choose_budgets, choose_one
from pages.widgets.budgets.showing import (
    download_budgets,
    explain_budgets,
    list_budgets,
    list_rivals,
    show_budgets,
    show_one_budget,
)
from pages.widgets.candidates.choosing import choose_picking, examine_candidates
from pages.widgets.candidates.details import (
    show_checklist,
    show_lists,
    show_nested,
    show_rivals,
    show_trust,
)
from pages.widgets.candidates.diversity import show_diversity
from pages.widgets.candidates.judges import show_judges
from pages.widgets.candidates.showing import (
    download_candidates,
    explain_candidates,
    list_candidates,
    list_pickers,
    show_candidates,
)
from pages.widgets.choose_n.choose_n import (
    answer_choices,
    choose_samples,
    explain_choices,
    list_choices,
    list_lines,
    show_margins,
    show_tradeoff,
    tell_reasons,
    tell_remarks,
)
from pages.widgets.choose_n.early import show_early
from pages.widgets.choose_n.pricing import ask_pricing
from pages.widgets.compare.choosing import choose_comparison
from pages.widgets.compare.listing import download_comparison, list_comparison
from pages.widgets.compare.pictures import show_picture
from pages.widgets.compare.planning import show_plan
from pages.widgets.compare.questions import show_pair
from pages.widgets.compare.series import show_series
from pages.widgets.consistency.consistency import (
    answer_votes,
    choose_votes,
    set_against,
    show_votes,
)
from pages.widgets.consistency.voted_questions import show_questions_of_one
from pages.widgets.guidance.guidance import (
    download_guidance,
    guide_all,
    show_advice,
    show_one,
    show_places,
    show_targets,
)
from pages.widgets.guidance.targets import choose_targets, explain_guidance
from pages.widgets.inventory.copying import offer_link
from pages.widgets.inventory.following import offer_counting_again, offer_following
from pages.widgets.inventory.guards import go_on, open_first_page, require_runs, tell_waiting
from pages.widgets.inventory.joining import offer_joining
from pages.widgets.inventory.kept_files import show_kept_files
from pages.widgets.inventory.linked import load_given
from pages.widgets.inventory.loading import load_reports, receive_reports
from pages.widgets.inventory.notes import show_notes
from pages.widgets.inventory.reconciliation import (
    compare_stated,
    list_stated,
    show_reconciliation,
    tell_what_came,
)
from pages.widgets.inventory.repairing import offer_repair
from pages.widgets.inventory.settings import show_settings
from pages.widgets.inventory.table import show_inventory
from pages.widgets.overview.board import show_board
from pages.widgets.overview.datasets import (
    link_to_wrong,
    show_datasets,
    show_scope,
    show_wins,
)
from pages.widgets.overview.looking import look_at_all, look_for_wins
from pages.widgets.questions.browser import browse_questions
from pages.widgets.questions.data import gather_questions
from pages.widgets.questions.elsewhere import answer_elsewhere, list_elsewhere
from pages.widgets.questions.filters import choose_listed
from pages.widgets.questions.references import show_references
from pages.widgets.questions.shape import show_shape
from pages.widgets.saturation import (
    CURVES,
    choose_bands,
    choose_curve,
    explain_curves,
    list_curves,
    show_curves,
    trace,
)
from pages.widgets.scorecard.choosing import choose_scores
from pages.widgets.scorecard.details import explain_metrics, show_one_run
from pages.widgets.scorecard.table import download_scores, list_scores, show_forest
from pages.widgets.shared.answers import show_answer
from pages.widgets.shared.datasets import choose_dataset
from pages.widgets.shared.in_browsers import InBrowsers
from pages.widgets.shared.internals import settings_of_environment, use_own_settings
from pages.widgets.shared.links import link_to_questions
from pages.widgets.shared.matching import check_questions
from pages.widgets.shared.serving import serving
from pages.widgets.shared.session import loaded_runs
from pages.widgets.shared.settings import choose_view, explain_intervals
from pages.widgets.shared.states import look_at_ends, show_states
from pages.widgets.shared.translating import _
from pages.widgets.shared.trusted_hosts import TrustedHosts
from pages.widgets.soft_hard.soft_hard import (
    choose_cutoff,
    choose_scored,
    compare_soft_hard,
    download_soft_hard,
    explain_soft_hard,
    show_soft_hard,
)
from pages.widgets.trade_offs.choosing import ask_trade_costs, choose_trade
from pages.widgets.trade_offs.showing import download_trade, list_trade, show_order, show_trade
from pages.widgets.trust.labelling import label_samples
from pages.widgets.trust.reading import audit_verdicts, choose_audited, compare_readings
from pages.widgets.trust.showing import (
    download_trust,
    explain_kinds,
    show_doubtful,
    show_readings,
)

__all__ = [
    "CURVES",
    "InBrowsers",
    "TrustedHosts",
    "_",
    "answer_choices",
    "answer_elsewhere",
    "answer_votes",
    "ask_pricing",
    "ask_trade_costs",
    "audit_verdicts",
    "browse_questions",
    "check_questions",
    "choose_audited",
    "choose_bands",
    "choose_budgets",
    "choose_comparison",
    "choose_curve",
    "choose_cutoff",
    "choose_dataset",
    "choose_listed",
    "choose_one",
    "choose_picking",
    "choose_samples",
    "choose_scored",
    "choose_scores",
    "choose_targets",
    "choose_trade",
    "choose_view",
    "choose_votes",
    "compare_readings",
    "compare_soft_hard",
    "compare_stated",
    "download_budgets",
    "download_candidates",
    "download_comparison",
    "download_guidance",
    "download_scores",
    "download_soft_hard",
    "download_trade",
    "download_trust",
    "examine_candidates",
    "explain_budgets",
    "explain_candidates",
    "explain_choices",
    "explain_curves",
    "explain_guidance",
    "explain_intervals",
    "explain_kinds",
    "explain_metrics",
    "explain_soft_hard",
    "gather_questions",
    "go_on",
    "guide_all",
    "label_samples",
    "link_to_questions",
    "link_to_wrong",
    "list_budgets",
    "list_candidates",
    "list_choices",
    "list_comparison",
    "list_curves",
    "list_elsewhere",
    "list_lines",
    "list_pickers",
    "list_rivals",
    "list_scores",
    "list_stated",
    "list_trade",
    "load_given",
    "load_reports",
    "loaded_runs",
    "look_at_all",
    "look_at_ends",
    "look_for_wins",
    "offer_counting_again",
    "offer_following",
    "offer_joining",
    "offer_link",
    "offer_repair",
    "open_first_page",
    "receive_reports",
    "require_runs",
    "serving",
    "set_against",
    "settings_of_environment",
    "show_advice",
    "show_answer",
    "show_board",
    "show_budgets",
    "show_candidates",
    "show_checklist",
    "show_curves",
    "show_datasets",
    "show_diversity",
    "show_doubtful",
    "show_early",
    "show_forest",
    "show_inventory",
    "show_judges",
    "show_kept_files",
    "show_lists",
    "show_margins",
    "show_nested",
    "show_notes",
    "show_one",
    "show_one_budget",
    "show_one_run",
    "show_order",
    "show_pair",
    "show_picture",
    "show_places",
    "show_plan",
    "show_questions_of_one",
    "show_readings",
    "show_reconciliation",
    "show_references",
    "show_rivals",
    "show_scope",
    "show_series",
    "show_settings",
    "show_shape",
    "show_soft_hard",
    "show_states",
    "show_targets",
    "show_trade",
    "show_tradeoff",
    "show_trust",
    "show_votes",
    "show_wins",
    "tell_reasons",
    "tell_remarks",
    "tell_waiting",
    "tell_what_came",
    "trace",
    "use_own_settings",
]

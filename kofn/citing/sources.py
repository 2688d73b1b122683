"""The works that numbers are based on, as BibTeX."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kofn.version import VERSION
from metrics.scoring.registry import Metric


@dataclass(frozen=True)
class CitedWork:
    """A work."""

    key: str
    short: str  # As sentences name it.
    kind: str  # Of the entry, such as "article".
    fields: Mapping[str, str]  # Of the entry, as LaTeX has them.

    def __hash__(self) -> int:
        return hash(self.key)

    def bibtex(self) -> str:
        """Write the entry."""
        lines = [f"  {name} = {{{value}}}," for name, value in self.fields.items()]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


def _preprint(key: str, short: str, authors: str, title: str, number: str) -> CitedWork:
    fields = {"author": authors, "title": title, "year": short[-4:]}
    return CitedWork(
        key,
        short,
        "misc",
        fields
        | {
            "eprint": number,
            "archiveprefix": "arXiv",
            "url": f"https://arxiv.org/abs/{number}",
        },
    )


def _article(key: str, short: str, authors: str, title: str, **where: str) -> CitedWork:
    fields = {"author": authors, "title": title, "year": short[-4:]}
    return CitedWork(key, short, "article", fields | where)


CHEN = _preprint(
    "chen2021evaluating",
    "Chen et al. 2021",
    "Mark Chen and Jerry Tworek and Heewoo Jun and Qiming Yuan and Henrique Ponde de Oliveira "
    "Pinto and Jared Kaplan and Harri Edwards and Yuri Burda and Nicholas Joseph and Greg Brockman "
    "and others",
    "Evaluating Large Language Models Trained on Code",
    "2107.03374",
)
YAO = _preprint(
    "yao2024taubench",
    "Yao et al. 2024",
    "Shunyu Yao and Noah Shinn and Pedram Razavi and Karthik Narasimhan",
    r"$\tau$-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains",
    "2406.12045",
)
LIU = _preprint(
    "liu2024stable",
    "Liu et al. 2024",
    "Junnan Liu and Hongwei Liu and Linchen Xiao and Ziyi Wang and Kuikun Liu and Songyang Gao and "
    "Wenwei Zhang and Songyang Zhang and Kai Chen",
    "Are Your {LLM}s Capable of Stable Reasoning?",
    "2412.13147",
)
DRAGOI = _preprint(
    "dragoi2025beyond",
    "Dragoi et al. 2025",
    "Marius Dragoi and Ioana Pintilie and Florin Gogianu and Florin Brad",
    "Beyond Pass@k: Breadth-Depth Metrics for Reasoning Boundaries",
    "2510.08325",
)
HU = _preprint(
    "hu2026rewarding",
    "Hu et al. 2026",
    "Zhiyuan Hu and Yucheng Wang and Yufei He and Jiaying Wu and Yilun Zhao and See-Kiong Ng and "
    "Cynthia Breazeal and Anh Tuan Luu and Hae Won Park and Bryan Hooi",
    "Rewarding the Rare: Uniqueness-Aware {RL} for Creative Problem Solving in {LLM}s",
    "2601.08763",
)
HARIRI = _preprint(
    "hariri2026dont",
    "Hariri et al. 2026",
    "Mohsen Hariri and Amirhossein Samandar and Michael Hinczewski and Vipin Chaudhary",
    "Don't Pass@k: A Bayesian Framework for Large Language Model Evaluation",
    "2510.04265",
)
WANG = _preprint(
    "wang2023selfconsistency",
    "Wang et al. 2023",
    "Xuezhi Wang and Jason Wei and Dale Schuurmans and Quoc Le and Ed Chi and Sharan Narang and "
    "Aakanksha Chowdhery and Denny Zhou",
    "Self-Consistency Improves Chain of Thought Reasoning in Language Models",
    "2203.11171",
)
AISBENCH = CitedWork(
    "aisbench",
    "AISBench",
    "misc",
    {
        "author": "{AISBench}",
        "title": "{AISBench} Benchmark: Accuracy Evaluation Scenarios, Analysis of Evaluation "
        "Metrics",
        "url": "https://github.com/AISBench/benchmark",
    },
)
MILLER = _preprint(
    "miller2024error",
    "Miller 2024",
    "Evan Miller",
    "Adding Error Bars to Evals: A Statistical Approach to Language Model Evaluations",
    "2411.00640",
)
KORN = _article(
    "korn1998confidence",
    "Korn and Graubard 1998",
    "Edward L. Korn and Barry I. Graubard",
    "Confidence Intervals for Proportions with Small Expected Number of Positive Counts Estimated "
    "from Survey Data",
    journal="Survey Methodology",
    volume="24",
    number="2",
    pages="193--201",
)
ZOU = _article(
    "zou2008construction",
    "Zou and Donner 2008",
    "Guang Yong Zou and Allan Donner",
    "Construction of Confidence Limits about Effect Measures: A General Approach",
    journal="Statistics in Medicine",
    volume="27",
    number="10",
    pages="1693--1702",
    doi="10.1002/sim.3095",
)
OWEN = _article(
    "owen1988empirical",
    "Owen 1988",
    "Art B. Owen",
    "Empirical Likelihood Ratio Confidence Intervals for a Single Functional",
    journal="Biometrika",
    volume="75",
    number="2",
    pages="237--249",
    doi="10.1093/biomet/75.2.237",
)
HOLM = _article(
    "holm1979simple",
    "Holm 1979",
    "Sture Holm",
    "A Simple Sequentially Rejective Multiple Test Procedure",
    journal="Scandinavian Journal of Statistics",
    volume="6",
    number="2",
    pages="65--70",
)
LANG = _article(
    "lang2014confidence",
    "Lang and Reiczigel 2014",
    r"Zsolt Lang and Jen{\H o} Reiczigel",
    "Confidence Limits for Prevalence of Disease Adjusted for Estimated Sensitivity and "
    "Specificity",
    journal="Preventive Veterinary Medicine",
    volume="113",
    number="1",
    pages="13--22",
    doi="10.1016/j.prevetmed.2013.09.015",
)
ROGAN = _article(
    "rogan1978estimating",
    "Rogan and Gladen 1978",
    "Walter J. Rogan and Beth Gladen",
    "Estimating Prevalence from the Results of a Screening Test",
    journal="American Journal of Epidemiology",
    volume="107",
    number="1",
    pages="71--76",
    doi="10.1093/oxfordjournals.aje.a112510",
)
POWERED = _preprint(
    "angelopoulos2023ppi",
    "Angelopoulos et al. 2023",
    "Anastasios N. Angelopoulos and John C. Duchi and Tijana Zrnic",
    "{PPI++}: Efficient Prediction-Powered Inference",
    "2311.01453",
)
JARVELIN = _article(
    "jarvelin2002cumulated",
    "Järvelin and Kekäläinen 2002",
    r"Kalervo J{\"a}rvelin and Jaana Kek{\"a}l{\"a}inen",
    "Cumulated Gain-Based Evaluation of {IR} Techniques",
    journal="{ACM} Transactions on Information Systems",
    volume="20",
    number="4",
    pages="422--446",
    doi="10.1145/582415.582418",
)
LI_DISTINCT = _preprint(
    "li2016diversity",
    "Li et al. 2016",
    "Jiwei Li and Michel Galley and Chris Brockett and Jianfeng Gao and Bill Dolan",
    "A Diversity-Promoting Objective Function for Neural Conversation Models",
    "1510.03055",
)
AGGARWAL = _preprint(
    "aggarwal2023lets",
    "Aggarwal et al. 2023",
    "Pranjal Aggarwal and Aman Madaan and Yiming Yang and {Mausam}",
    "Let's Sample Step by Step: Adaptive-Consistency for Efficient Reasoning and Coding with "
    "{LLM}s",
    "2305.11860",
)
LI_WINDOWS = _preprint(
    "li2024escape",
    "Li et al. 2024",
    "Yiwei Li and Peiwen Yuan and Shaoxiong Feng and Boyuan Pan and Xinglin Wang and Bin Sun and "
    "Heda Wang and Kan Li",
    "Escape Sky-high Cost: Early-stopping Self-Consistency for Multi-step Reasoning",
    "2401.10480",
)
KOFN = CitedWork(
    "kofn",
    f"kofn {VERSION}",
    "misc",
    {
        "author": "{The maintainers of kofn}",
        "title": "kofn: repeated-sampling evaluation with intervals",
        "note": f"Version {VERSION}",
    },
)
ESTIMATORS = (CHEN, YAO, LIU)
"""Those whose unbiased estimate of their metric is the one that is computed."""
_OF_METRICS = {each.short: each for each in (CHEN, YAO, LIU, DRAGOI, HU, HARIRI, WANG, AISBENCH)}
_OF_METRICS["scorio.eval 0.2.3"] = HARIRI


def source_of(metric: Metric) -> CitedWork:
    """Return the work that defines a metric.

    Examples
    --------
    >>> from metrics.scoring.registry import METRICS
    >>> source_of(METRICS["pass@k"]).short
    'Chen et al. 2021'
    """
    return _OF_METRICS[metric.source.split(",")[0]]


def bibliography(sources: Iterable[CitedWork]) -> str:
    """Write the entries of works, each once, in the order of their keys."""
    found = sorted(set(sources), key=lambda source: source.key)
    return "\n\n".join(source.bibtex() for source in found) + "\n"

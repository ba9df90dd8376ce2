"""What a column's name says: words that point at respondents, units, weights, codes, amounts.

Names are a hint, in a few languages, never a proof: whatever follows from one says so.
"""

from __future__ import annotations

import re
from itertools import pairwise

__all__ = [
    "AMOUNT",
    "ATTACHED",
    "BIRTH",
    "BODY",
    "CLASSIFIED",
    "CODE",
    "CONFIDENTIAL",
    "DIRECT",
    "NAMES",
    "NUMBERED",
    "PLACE",
    "STEMS",
    "TIME",
    "UNIT",
    "WEAK",
    "WEIGHT",
    "direct_word",
    "words",
]

# Words in a column's name that point at one respondent, whatever the values.
DIRECT = {
    *("id", "ids", "uid", "uuid", "guid", "pid", "ssn", "nin", "nino", "sin", "mrn", "nhs", "dni"),
    *("nif", "curp", "bsn", "pesel", "passport", "iban", "email", "emails", "mail", "phone"),
    *("telephone", "mobile", "fax", "tel", "telefon", "login", "username", "surname", "lastname"),
    *("firstname", "forename", "fullname", "vorname", "nachname", "apellido", "apellidos"),
    "prenom",
}
# Words that do so only where values hardly repeat: "name" may be a country's.
WEAK = {
    *("name", "names", "nombre", "nom", "address", "adresse", "street", "strasse"),
    *("account", "url", "ip", "plate"),
}
# Whose number it is, with "id" or "num" attached: distid, persnum, hhno, schidkn.
ATTACHED = re.compile(
    r"(?:person|pers?|patient|pat|user|customer|cust|client|household|house|hh|record|rec"
    r"|respondent|resp|case|employee|emp|student|stud|pupil|member|memb|utility|company|comp|firm"
    r"|subject|subj|family|fam|tax|national|town|city|county|district|dist|school|sch|class"
    r"|teacher|tch|hospital|hosp|clinic|doctor|doc|plant|store|estab|village|vill|tract|block"
    r"|parcel|mother|father|child|spouse|worker|job|player|team|bank|fund|fips|int|interview"
    r"|participant|part|sample|samp|plot|farm|animal|dog|cow|account|acct|contract|policy|claim"
    r"|admission|episode|visit|order|trip|vehicle|car|donor|sib|twin|pair|cluster|psu|ea)"
    r"(?:id[a-z]{0,2}|idno|num|numb|nr|nbr|no)\d?"
)
NOT_ATTACHED = {"paid", "partno"}
# Words of people's names: several people have the same.
NAMES = {
    *("surname", "lastname", "firstname", "forename", "fullname", "vorname", "nachname"),
    *("apellido", "apellidos", "prenom", "name", "names", "nombre", "nom"),
}
# Words of a number that is given out one by one, to persons or to households.
NUMBERED = {
    *("nr", "no", "num", "number", "nummer", "numero", "serial", "serialno", "seqn", "key"),
    *("persnr", "personnummer", "matricule", "folio", "idno", "caseno", "pnr", "hhnr", "hhno"),
}
UNIT = {
    *("household", "hh", "hhid", "hid", "hhld", "family", "famid", "haushalt", "menage", "hogar"),
    *("person", "persid", "respondent", "subject", "subj", "patient", "customer", "client", "firm"),
    *("company", "enterprise", "employer", "panelist", "individual", "member"),
    *(
        "unit",
        "case",
        "couple",
        "account",
        "iban",
        "dwelling",
        "subjectid",
        "participant",
        "litter",
        "mouse",
        "animal",
    ),
}
WEIGHT = {
    *("weight", "weights", "wt", "wgt", "wght", "pweight", "fweight", "pondera", "ponderation"),
    *("gewicht", "hochrechnung", "hrf", "perwt", "hhwt", "finalwt", "fnlwgt", "samplingweight"),
    *("sampleweight", "expansion", "peso", "factor", "wtmec", "wtint", "designweight"),
}
BODY = {"height", "bmi", "size", "waist", "stature", "groesse", "talla", "kg", "body", "birth"}
CODE = {
    *("code", "codes", "sex", "gender", "sexe", "sexo", "geschlecht", "isco", "isic", "nace"),
    *("naics", "sic", "icd", "icd9", "icd10", "nuts", "fips", "occupation", "occ", "industry"),
    *("marital", "status", "religion", "ethnicity", "race", "nationality", "citizenship"),
    *("country", "region", "state", "province", "county", "district", "municipality", "zip"),
    *("zipcode", "postcode", "postal", "plz", "diagnosis", "category", "type", "relationship"),
    *("mode", "class", "group", "cluster", "center", "centre", "clinic", "hospital", "ward"),
    *("zone", "department", "dept", "brand", "treatment", "arm", "married", "mar", "inst"),
    *("sector", "branch", "language", "party", "isced", "cob", "birthplace", "commune"),
}
# Of these a classification by name: its values are codes however many there are.
CLASSIFIED = {
    *("isco", "isic", "nace", "naics", "sic", "icd", "icd9", "icd10", "nuts", "fips", "isced"),
    *("zip", "zipcode", "postcode", "postal", "plz", "coicop", "atc", "isco08", "isco88"),
}
AMOUNT = {
    *(
        "age",
        "alter",
        "edad",
        "week",
        "weeks",
        "tenure",
        "year",
        "years",
        "yr",
        "jahr",
        "month",
        "day",
        "days",
        "income",
    ),
    *(
        "salary",
        "wage",
        "wages",
        "earnings",
        "amount",
        "price",
        "cost",
        "costs",
        "value",
        "turnover",
    ),
    *(
        "revenue",
        "sales",
        "profit",
        "assets",
        "debt",
        "tax",
        "taxes",
        "expenditure",
        "hours",
        "hour",
    ),
    *("minutes", "count", "number", "n", "num", "children", "kids", "rooms", "size", "height"),
    *("length", "width", "area", "distance", "score", "rate", "ratio", "percent", "pct", "share"),
    *("population", "popul", "pop", "weight", "wt", "employees", "staff", "rent", "balance"),
    *("temperature", "pressure", "volume", "dose", "duration", "speed", "bmi", "experience"),
    *(
        "exper",
        "gdp",
        "births",
        "deaths",
        "total",
        "sum",
        "mean",
        "index",
        "capital",
        "gain",
        "loss",
    ),
}
# Words of what a panel is repeated over.
TIME = {
    *("year", "yr", "jahr", "annee", "ano", "wave", "welle", "month", "quarter", "period", "term"),
    *("round", "week", "day", "days", "date", "time", "t", "visit", "semester", "season", "age"),
    *("occasion", "measurement", "session", "episode", "trial", "enum"),
}
# Parts of words that are amounts: years of education, incomes, squares.
STEMS = re.compile(
    r"educ|exper|wage|salar|earn|income|inc$|age\d*$|hours|hrs|years|score|sq$|rate$"
)
BIRTH = {"birth", "born", "dob", "birthdate", "birthday", "geboren", "geburtsdatum", "naissance",
         "nacimiento", "dateofbirth", "bdate"}  # fmt: skip
PLACE = {
    *("region", "state", "province", "country", "county", "district", "nuts", "land", "area"),
    *("bundesland", "departement", "comunidad", "municipality", "city", "urban", "site", "center"),
}
CONFIDENTIAL = {
    *("diagnosis", "diagnose", "disease", "icd", "icd9", "icd10", "hiv", "illness", "condition"),
    *("medication", "drug", "treatment", "outcome", "symptom", "cancer", "religion", "party"),
    *("vote", "conviction", "offence", "crime", "abuse", "depression", "mental", "genotype"),
    *("progression", "therapy", "allergy", "suicide", "orientation", "union", "dead", "death"),
}


def words(name: str) -> set[str]:
    """The words in a name: of e_mail, PatientID, "first name".

    >>> sorted(words("PatientID"))
    ['id', 'patient', 'patientid']
    """
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+", name)
    found = [part.lower() for part in parts]
    pairs = {a + b for a, b in pairwise(found)}
    return {*found, *pairs, name.lower()}


def direct_word(name: str) -> str | None:
    """The word in a name that points at one respondent, if there is one."""
    direct = sorted(words(name) & DIRECT)
    if direct:
        return direct[0]
    last = name.lower()
    return "id" if ATTACHED.fullmatch(last) and last not in NOT_ATTACHED else None

"""Python's `time` for programs whose clock stands still, in UTC. Nothing can wait."""

_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_MONTHS = ["January", "February", "March", "April", "May", "June", "July",
           "August", "September", "October", "November", "December"]
_FIELDS = ["tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday", "tm_isdst"]

altzone = daylight = timezone = 0
tzname = ("UTC", "UTC")

_now_ms = lambda: 0


class struct_time(tuple):
    """A moment as nine numbers with names."""

    n_fields = n_sequence_fields = 9
    tm_zone = "UTC"
    tm_gmtoff = 0

    def __getattr__(self, name):
        if name in _FIELDS:
            return self[_FIELDS.index(name)]
        raise AttributeError(name)

    def __repr__(self):
        return "time.struct_time(" + ", ".join(f"{f}={v}" for f, v in zip(_FIELDS, self)) + ")"


def time():
    return _now_ms() / 1000


def time_ns():
    return int(_now_ms()) * 1000000


monotonic = perf_counter = process_time = time
monotonic_ns = perf_counter_ns = process_time_ns = time_ns


def sleep(seconds):
    raise NotImplementedError("a program cannot wait")


def _days(year, month, day):
    """Days from 1970-01-01, after Howard Hinnant's days_from_civil."""
    year -= month <= 2
    era = year // 400
    of_era = year - era * 400
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468


def _civil(days):
    days += 719468
    era = days // 146097
    of_era = days - era * 146097
    year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    shifted = (5 * of_year + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9
    return year + era * 400 + (month <= 2), month, of_year - (153 * shifted + 2) // 5 + 1


def gmtime(seconds=None):
    whole = int((time() if seconds is None else seconds) // 1)
    days, rest = divmod(whole, 86400)
    year, month, day = _civil(days)
    return struct_time((year, month, day, rest // 3600, rest // 60 % 60, rest % 60,
                        (days + 3) % 7, days - _days(year, 1, 1) + 1, 0))


localtime = gmtime


def mktime(moment):
    year, month, day, hour, minute, second = tuple(moment)[:6]
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    return float(_days(year, month, 1) * 86400 + (day - 1) * 86400 + hour * 3600 + minute * 60 + second)


def _directive(sign, moment):
    year, month, day, hour, minute, second, weekday, of_year = tuple(moment)[:8]
    sunday_first = (weekday + 1) % 7
    simple = {
        "Y": lambda: str(year), "y": lambda: f"{year % 100:02d}", "C": lambda: f"{year // 100:02d}",
        "m": lambda: f"{month:02d}", "d": lambda: f"{day:02d}", "e": lambda: f"{day:2d}",
        "B": lambda: _MONTHS[month - 1], "b": lambda: _MONTHS[month - 1][:3], "h": lambda: _MONTHS[month - 1][:3],
        "A": lambda: _DAYS[weekday], "a": lambda: _DAYS[weekday][:3],
        "H": lambda: f"{hour:02d}", "I": lambda: f"{(hour - 1) % 12 + 1:02d}", "p": lambda: "AM" if hour < 12 else "PM",
        "M": lambda: f"{minute:02d}", "S": lambda: f"{second:02d}", "j": lambda: f"{of_year:03d}",
        "u": lambda: str(weekday + 1), "w": lambda: str(sunday_first),
        "U": lambda: f"{(of_year + 6 - sunday_first) // 7:02d}", "W": lambda: f"{(of_year + 6 - weekday) // 7:02d}",
        "Z": lambda: "UTC", "z": lambda: "+0000", "s": lambda: str(int(mktime(moment))),
        "n": lambda: "\n", "t": lambda: "\t", "%": lambda: "%",
    }
    whole = {"c": "%a %b %e %H:%M:%S %Y", "x": "%m/%d/%y", "D": "%m/%d/%y", "X": "%H:%M:%S",
             "T": "%H:%M:%S", "R": "%H:%M", "r": "%I:%M:%S %p", "F": "%Y-%m-%d"}
    if sign in whole:
        return strftime(whole[sign], moment)
    return simple[sign]() if sign in simple else "%" + sign


def strftime(format, moment=None):
    moment = gmtime() if moment is None else moment
    parts = format.split("%")
    told, i = parts[0], 1
    while i < len(parts):
        part = parts[i]
        if part == "":
            if i + 1 == len(parts):
                return told + "%"
            told, i = told + "%" + parts[i + 1], i + 2
            continue
        told, i = told + _directive(part[0], moment) + part[1:], i + 1
    return told


def strptime(text, format="%a %b %d %H:%M:%S %Y"):
    import _strptime
    return _strptime._strptime_time(text, format)


def asctime(moment=None):
    return strftime("%c", moment)


def ctime(seconds=None):
    return asctime(gmtime(seconds))


def get_clock_info(name):
    raise NotImplementedError("the clock stands still")

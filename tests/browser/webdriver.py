# SPDX-License-Identifier: MIT
"""A browser without a window, by WebDriver (W3C) and Debian's chromedriver: as much of it as the
tests of pages need, over Python's standard library.

    with Browser(folder) as browser:
        browser.open("file:///.../page.html")
        browser.find("button").click()

Each Browser starts a chromedriver of its own, and ends it."""
import base64
import json
import os
import re
import shutil
import subprocess
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the standard's name for a reference
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Home": "\ue011", "End": "\ue010", "Left": "\ue012",
        "Right": "\ue014", "Space": " "}
SHIFT = "\ue008"
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-default-apps", "--disable-extensions", "--mute-audio",
         "--disable-features=OptimizationHints,MediaRouter,Translate", "--force-color-profile=srgb",
         "--hide-scrollbars"]


class BrowserError(Exception):
    pass


class Element:
    def __init__(self, browser, reference):
        self.browser = browser
        self.reference = reference

    def click(self):
        self.browser.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", self)
        self.browser.post(f"element/{self.reference}/click")

    def type(self, text):
        self.browser.post(f"element/{self.reference}/value", {"text": text})

    def clear(self):
        self.browser.post(f"element/{self.reference}/clear")

    def text(self):
        return self.browser.get(f"element/{self.reference}/text")

    def shown(self):
        return self.browser.get(f"element/{self.reference}/displayed")


class Browser:
    def __init__(self, folder):
        """folder: for the browser's profile, which is new and is left there."""
        driver = shutil.which("chromedriver")
        if driver is None:
            raise BrowserError("chromedriver is not there: scripts/bootstrap browser")
        os.makedirs(folder, exist_ok=True)
        home = dict(os.environ, HOME=str(folder))
        self.process = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, env=home,
                                        stderr=subprocess.DEVNULL, text=True)
        try:
            self.base = f"http://127.0.0.1:{self._port()}"
            self._start(folder)
        except BaseException:
            self.process.kill()
            self.process.wait()
            raise

    def _port(self):
        for line in self.process.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                return int(found.group(1))
        raise BrowserError("chromedriver did not start")

    def _start(self, folder):
        options = {"args": FLAGS + [f"--user-data-dir={folder}/profile"]}
        binary = shutil.which("chromium")
        if binary:
            options["binary"] = binary
        answer = self._send("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
        self.session = f"/session/{answer['sessionId']}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._send("DELETE", self.session)
        finally:
            self.process.terminate()
            self.process.wait()

    def _send(self, method, path, body=None):
        data = None if method != "POST" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.base + path, data=data, method=method,
                                         headers={"Content-Type": "application/json"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise BrowserError(f"{path}: {value['error']}: {value['message']}") from None

    def get(self, path):
        return self._send("GET", f"{self.session}/{path}")

    def post(self, path, body=None):
        return self._send("POST", f"{self.session}/{path}", body)

    # ---- pages ----

    def open(self, url):
        self.post("url", {"url": url})

    def title(self):
        return self.get("title")

    def run(self, script, *arguments):
        """The body of a function in the page; its value."""
        packed = [{ELEMENT: a.reference} if isinstance(a, Element) else a for a in arguments]
        return self.post("execute/sync", {"script": script, "args": packed})

    def find_all(self, selector):
        found = self.post("elements", {"using": "css selector", "value": selector})
        return [Element(self, item[ELEMENT]) for item in found]

    def find(self, selector):
        found = self.find_all(selector)
        if not found:
            raise BrowserError(f"nothing on the page is {selector}")
        return found[0]

    def press(self, key, shift=False):
        code = KEYS.get(key, key)
        strokes = [{"type": "keyDown", "value": code}, {"type": "keyUp", "value": code}]
        if shift:
            strokes = [{"type": "keyDown", "value": SHIFT}, *strokes, {"type": "keyUp", "value": SHIFT}]
        self.post("actions", {"actions": [{"type": "key", "id": "keys", "actions": strokes}]})

    # ---- what WebDriver itself has no word for: Chrome's protocol ----

    def protocol(self, command, **parameters):
        return self.post("goog/cdp/execute", {"cmd": command, "params": parameters})

    def size(self, width, height):
        self.protocol("Emulation.setDeviceMetricsOverride", width=width, height=height,
                      deviceScaleFactor=1, mobile=False)

    def scheme(self, name, reduced=False):
        self.protocol("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": name},
            {"name": "prefers-reduced-motion", "value": "reduce" if reduced else "no-preference"}])

    def scripts(self, enabled):
        """Whether pages that are opened from now on may run theirs."""
        self.protocol("Emulation.setScriptExecutionDisabled", value=not enabled)

    def picture(self, whole=True, clip=None):
        """The page as PNG."""
        more = {"clip": dict(clip, scale=1)} if clip else {}
        return base64.b64decode(self.protocol("Page.captureScreenshot", format="png",
                                              captureBeyondViewport=whole, **more)["data"])

    def pdf(self):
        return base64.b64decode(self.post("print", {"shrinkToFit": False}))

    def complaints(self):
        """What the console has got since the last time."""
        return [f"{entry['level']}: {entry['message']}"
                for entry in self.post("se/log", {"type": "browser"})]

    def requests(self):
        """The addresses that were asked for since the last time."""
        events = [json.loads(entry["message"])["message"]
                  for entry in self.post("se/log", {"type": "performance"})]
        return [event["params"]["request"]["url"] for event in events
                if event["method"] == "Network.requestWillBeSent"]

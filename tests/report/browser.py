"""Headless Chromium over its debugging pipe: a page at a width, in a colour scheme, and what it says of itself."""

import base64
import json
import os
import shutil
import subprocess
import tempfile

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

# What no page may have: something wider than the window outside a frame that scrolls, and letters below 11 pixels.
FAULTS = """(() => {
  const wide = document.documentElement.scrollWidth - window.innerWidth;
  const scrolled = e => e.closest('.wide, pre') !== null;
  const over = [...document.body.querySelectorAll('*')].filter(e => !scrolled(e) && e.getClientRects().length
    && e.getBoundingClientRect().right > window.innerWidth + 1).map(e => e.tagName + ' ' + e.textContent.slice(0, 40));
  const small = [...document.querySelectorAll('body *')].filter(e => [...e.childNodes].some(n => n.nodeType === 3
    && n.textContent.trim()) && e.tagName !== 'title').filter(e => {
      const svg = e.ownerSVGElement;
      const scale = svg && svg.viewBox.baseVal && svg.viewBox.baseVal.width
        ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
      return parseFloat(getComputedStyle(e).fontSize) * scale < 10.99; }).map(e => e.tagName + ' ' + e.textContent);
  return {wide, over: over.slice(0, 5), small: small.slice(0, 5), text: getComputedStyle(document.body).color,
          ground: getComputedStyle(document.body).backgroundColor, height: document.documentElement.scrollHeight};
})()"""


class Browser:
    """A browser that is started with the block and ended with it."""

    def __enter__(self):
        """Start the browser with a pipe for orders and one for answers."""
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        order, self.orders = os.pipe()
        self.answers, answer = os.pipe()

        def connect():
            high = [os.dup(order), os.dup(answer)]  # beyond 3 and 4, which they are put on
            high = [os.dup(fd) if fd in (3, 4) else fd for fd in high]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe"]
        options += [f"--user-data-dir={self.folder.name}", "--no-first-run", "about:blank"]
        self.process = subprocess.Popen(
            [PROGRAM, *options],
            preexec_fn=connect,
            close_fds=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(order)
        os.close(answer)
        self.rest, self.number, self.events = b"", 0, []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for part in ("Page", "Runtime", "Log"):
            self.ask(f"{part}.enable", True)
        return self

    def __exit__(self, *failure):
        """End the browser and remove what it wrote."""
        self.process.terminate()
        self.process.wait(20)
        os.close(self.orders)
        os.close(self.answers)
        self.folder.cleanup()

    def read(self):
        """Return the next message."""
        while b"\0" not in self.rest:
            piece = os.read(self.answers, 1 << 16)
            if not piece:
                raise EOFError("the browser has ended")
            self.rest += piece
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def ask(self, method, inside=False, **parameters):
        """Return the answer to an order; events that come before it are kept."""
        self.number += 1
        order = {"id": self.number, "method": method, "params": parameters}
        if inside:
            order["sessionId"] = self.session
        os.write(self.orders, json.dumps(order).encode() + b"\0")
        while True:
            message = self.read()
            if message.get("id") == self.number:
                assert "error" not in message, message
                return message["result"]
            self.events.append(message)

    def show(self, address, width, scheme, height=800):
        """Load a page at a width in a scheme; return its faults and what the console said."""
        self.events = []
        self.ask(
            "Emulation.setDeviceMetricsOverride", True, width=width, height=height, deviceScaleFactor=1, mobile=False
        )
        feature = [{"name": "prefers-color-scheme", "value": scheme}]
        self.ask("Emulation.setEmulatedMedia", True, features=feature)
        self.ask("Page.navigate", True, url=address)
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.read())
        found = self.ask("Runtime.evaluate", True, expression=FAULTS, returnByValue=True)["result"]["value"]
        reported = [e for e in self.events if e.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown")]
        return {**found, "console": reported}

    def picture(self):
        """Return what is seen, as PNG."""
        return base64.b64decode(self.ask("Page.captureScreenshot", True)["data"])

import { execFileSync } from 'node:child_process';
import { chromium, type Browser } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Parts of a tile that are drawn anew blend with its old pixels, so that corners would differ from run to run. */
const WHOLE_TILES = ['--disable-partial-raster', '--disable-checker-imaging', '--num-raster-threads=1'];

/** The path of an installed Chromium. Throws with what to install where there is none. */
export function findChromium(): string {
  for (const name of NAMES) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch { /* The next name. */ }
  }
  throw new Error('Chromium is not installed. "apt-get install chromium" on Debian or Ubuntu installs it, and so does `npm test`.');
}

/** Starts Chromium without a window. It renders text the same on every machine with the same fonts. */
export function launchChromium(): Promise<Browser> {
  // The sandbox of Chromium needs rights that containers do not have; the pages are our own.
  return chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--font-render-hinting=none', '--disable-lcd-text', ...WHOLE_TILES] });
}

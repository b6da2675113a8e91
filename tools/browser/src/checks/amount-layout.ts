import type { Page } from 'playwright-core';

/** Pattern of an amount as pages format it: with grouping, with decimal places, or both. */
const AMOUNT = String.raw`[-−]?\$?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)`;

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface LaidOut {
  readonly text: string;
  /** Boxes of the parts of the amount. Parts on one line overlap vertically. */
  readonly parts: readonly Box[];
  readonly place: Box;
  /** Boxes of the ancestors, innermost first. */
  readonly around: readonly (Box & { readonly overflowX: string; readonly overflowY: string })[];
}

/** All visible amounts, in elements of their own or within sentences. */
function laidOut(page: Page): Promise<readonly LaidOut[]> {
  return page.evaluate((pattern) => {
    const boxOf = ({ left, right, top, bottom }: DOMRect): Box => ({ left, right, top, bottom });
    const isHidden = (element: Element): boolean => !element.checkVisibility({ visibilityProperty: true }) || element.closest('.visually-hidden') !== null;
    const ancestors = (element: Element | null): readonly Element[] => (element === null ? [] : [element, ...ancestors(element.parentElement)]);
    const found: LaidOut[] = [];
    const add = (range: Range, element: Element): void => {
      const around = ancestors(element);
      const block = around.find((one) => !['inline', 'contents'].includes(getComputedStyle(one).display)) ?? element;
      found.push({
        text: range.toString(), parts: [...range.getClientRects()].filter(({ width }) => width > 0).map(boxOf), place: boxOf(block.getBoundingClientRect()),
        around: around.map((one) => ({ ...boxOf(one.getBoundingClientRect()), overflowX: getComputedStyle(one).overflowX, overflowY: getComputedStyle(one).overflowY })),
      });
    };
    for (const element of document.querySelectorAll('[data-amount]')) {
      const range = document.createRange();
      range.selectNodeContents(element);
      if (!isHidden(element)) add(range, element);
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const { parentElement: parent, nodeValue: text } = node;
      if (parent === null || text === null || parent.closest('[data-amount]') !== null || isHidden(parent)) continue;
      for (const match of text.matchAll(new RegExp(pattern, 'g'))) {
        const range = document.createRange();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        add(range, parent);
      }
    }
    return found;
  }, AMOUNT);
}

function hides(overflow: string): boolean {
  return overflow === 'hidden' || overflow === 'clip';
}

function scrolls(overflow: string): boolean {
  return overflow === 'auto' || overflow === 'scroll';
}

/** True if an ancestor that does not scroll, or the window, clips part of the amount. */
function isCut({ parts, around }: LaidOut, windowWidth: number): boolean {
  const [left, right] = [Math.min(...parts.map((part) => part.left)), Math.max(...parts.map((part) => part.right))];
  const [top, bottom] = [Math.min(...parts.map((part) => part.top)), Math.max(...parts.map((part) => part.bottom))];
  let [isAcross, isDown] = [false, false];
  for (const element of around) {
    isAcross ||= scrolls(element.overflowX);
    isDown ||= scrolls(element.overflowY);
    if (!isAcross && hides(element.overflowX) && (left < element.left - 1 || right > element.right + 1)) return true;
    if (!isDown && hides(element.overflowY) && (top < element.top - 1 || bottom > element.bottom + 1)) return true;
  }
  return !isAcross && (left < -1 || right > windowWidth + 1);
}

function faultOf(amount: LaidOut, windowWidth: number): string | null {
  const { text, parts, place } = amount;
  if (parts.length === 0) return null;
  if (Math.max(...parts.map(({ top }) => top)) >= Math.min(...parts.map(({ bottom }) => bottom))) return `${text} is broken between lines`;
  if (isCut(amount, windowWidth)) return `${text} is cut off`;
  return Math.max(...parts.map(({ right }) => right)) > place.right + 1 ? `${text} runs out of its place` : null;
}

/** Amounts that are broken across lines, clipped or overlapping, and a page that is too wide for its window. */
export async function amountFaults(page: Page): Promise<readonly string[]> {
  const [width, windowWidth] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth] as const);
  const cutFields = await page.locator('input').evaluateAll((fields) => (fields as HTMLInputElement[]).filter(({ value, scrollWidth, clientWidth }) => /^\d+\.\d+$/.test(value) && scrollWidth > clientWidth).map(({ value }) => value));
  return [
    ...(width > windowWidth ? [`the page is ${width} pixels wide, in a window of ${windowWidth}`] : []),
    ...(await laidOut(page)).flatMap((amount) => faultOf(amount, windowWidth) ?? []),
    ...cutFields.map((value) => `${value} is cut off in its field`),
  ];
}

/** Amounts in a text, in the form of the API: without grouping, currency and trailing zeros. */
export function amountsIn(text: string): ReadonlySet<string> {
  const found = text.match(new RegExp(AMOUNT, 'g')) ?? [];
  return new Set(found.map((amount) => amount.replaceAll(/[,$]/g, '').replace('−', '-').replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')));
}

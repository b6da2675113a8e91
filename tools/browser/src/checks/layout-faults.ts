import type { Page } from 'playwright-core';

/** Maximum width of a window in which tables become lists. */
const NARROW = 768;

/**
 * A page that scrolls sideways, and buttons that cannot be reached: cut off by an element that does not scroll, beyond the window, or, in a narrow
 * window, only by scrolling sideways.
 */
export function layoutFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate((narrow) => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const faults = scrollWidth > clientWidth ? [`the page is ${scrollWidth} pixels wide`] : [];
    const isNarrow = clientWidth <= narrow;
    const roots: readonly Element[] = [document.documentElement, document.body];
    const ancestors = (element: Element | null): readonly Element[] => (element === null ? [] : [element, ...ancestors(element.parentElement)]);
    for (const button of document.querySelectorAll<HTMLElement>('main :is(button, a[class*="mantine-Button"], [role="button"]):not([role="tab"])')) {
      const box = button.getBoundingClientRect();
      const { paddingLeft, paddingRight } = getComputedStyle(button);
      // The visible part, without padding; the clickable area may be larger.
      const [left, right] = [box.left + Number.parseFloat(paddingLeft), box.right - Number.parseFloat(paddingRight)];
      if (box.width <= 1 || !button.checkVisibility({ visibilityProperty: true }) || button.closest('.visually-hidden') !== null) continue;
      const name = `the button “${(button.getAttribute('aria-label') ?? button.textContent).trim().slice(0, 60)}”`;
      const isWithin = ({ left: from, right: to }: { readonly left: number; readonly right: number }): boolean => left >= from - 1 && right <= to + 1;
      const overflowOf = (element: Element): string => getComputedStyle(element).overflowX;
      const clipping = ancestors(button.parentElement).find((element) => !roots.includes(element) && overflowOf(element) !== 'visible' && !isWithin(element.getBoundingClientRect()));
      if (clipping === undefined && !isWithin({ left: 0, right: clientWidth })) faults.push(`${name} is beyond the window`);
      if (clipping !== undefined && ['hidden', 'clip'].includes(overflowOf(clipping))) faults.push(`${name} is cut off`);
      else if (clipping !== undefined && isNarrow) faults.push(`${name} is reached only by scrolling sideways`);
    }
    return faults;
  }, NARROW);
}

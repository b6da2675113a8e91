import type { Page } from 'playwright-core';

/** Replaces texts that differ between runs by equal ones, in all that the page shows now or later. */
async function levelTexts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const level = (text: string): string => text
      .replaceAll(/\b(req|key|acct|person|session|passkey|rsv|proc|mail|mach|vbatch|voucher|hook)_[A-Za-z0-9_-]+(…[A-Za-z0-9_-]+)?/g, (id: string, kind: string) => `${kind}_${id.slice(kind.length + 1).replaceAll(/[A-Za-z0-9_-]/g, '0')}`)
      .replaceAll(/\b(sk-|tgm_|whsec_)([A-Za-z0-9_-]+(?:(?:…|•+)[A-Za-z0-9_-]+)?)/g, (_, kind: string, rest: string) => kind + rest.replaceAll(/[A-Za-z0-9_-]/g, '0'))
      .replaceAll(/\b[0-9A-HJKMNP-TV-Z]{5}(?:…|(?:-[0-9A-HJKMNP-TV-Z]{5}){3})/g, (code: string) => code.replaceAll(/[0-9A-Z]/g, '0'))
      .replaceAll(/\b(localhost|127\.0\.0\.1):\d+/g, '$1:8080')
      .replaceAll(/#[A-Za-z0-9_-]{43}/g, '#0')
      .replaceAll(/[\d.]+ m?s(?= to the first token)/g, '100 ms');
    const levelWithin = (root: Node): void => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node: Node | null = root.nodeType === Node.TEXT_NODE ? root : walker.nextNode(); node !== null; node = walker.nextNode()) {
        const leveled = level(node.nodeValue ?? '');
        if (leveled !== node.nodeValue) node.nodeValue = leveled;
      }
    };
    levelWithin(document.body);
    // Later rows matter, because the window is enlarged for a picture of the full page, which then renders more rows.
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) for (const node of [target, ...addedNodes]) levelWithin(node);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}

/** Takes a picture of the whole page, without the text cursor. */
export async function takePicture(page: Page): Promise<Buffer> {
  await levelTexts(page);
  // With a dialog, only the visible part is taken, because a dialog covers no more than that.
  const fullPage = await page.getByRole('dialog').filter({ visible: true }).count() === 0;
  return page.screenshot({ fullPage, animations: 'disabled', caret: 'hide', scale: 'css' });
}

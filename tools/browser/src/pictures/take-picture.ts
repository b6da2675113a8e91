import type { Page } from 'playwright-core';

/** What differs from run to run, in place of which a picture shows the same text each time. */
async function levelTexts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const level = (text: string): string => text
      .replaceAll(/\b(req|key|acct|person|session|passkey|rsv|proc|mail)_[A-Za-z0-9_-]+(…[A-Za-z0-9_-]+)?/g, (id: string, kind: string) => `${kind}_${id.slice(kind.length + 1).replaceAll(/[A-Za-z0-9_-]/g, '0')}`)
      .replaceAll(/\bsk-[A-Za-z0-9_-]+((?:…|•+)[A-Za-z0-9_-]+)?/g, (key) => `sk-${key.slice(3).replaceAll(/[A-Za-z0-9_-]/g, '0')}`)
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
    // A picture of the whole page makes room for rows that were out of sight.
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) for (const node of [target, ...addedNodes]) levelWithin(node);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}

/** A picture of the whole page, without a blinking caret. */
export async function takePicture(page: Page): Promise<Buffer> {
  await levelTexts(page);
  // What lies over a page lies over what can be seen of it.
  const fullPage = await page.getByRole('dialog').filter({ visible: true }).count() === 0;
  return page.screenshot({ fullPage, animations: 'disabled', caret: 'hide', scale: 'css' });
}

import type { Page } from 'playwright-core';

/** What differs from run to run, in place of which a picture shows the same text each time. */
async function levelTexts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const level = (text: string): string => text
      .replaceAll(/\b(req|key|acct|person|session|rec|mail|block)_[A-Za-z0-9_-]+(…[A-Za-z0-9_-]+)?/g, (id: string, kind: string) => `${kind}_${id.slice(kind.length + 1).replaceAll(/[A-Za-z0-9_-]/g, '0')}`)
      .replaceAll(/\bsk-[A-Za-z0-9_-]+((?:…|•+)[A-Za-z0-9_-]+)?/g, (key) => `sk-${key.slice(3).replaceAll(/[A-Za-z0-9_-]/g, '0')}`)
      .replaceAll(/\b(localhost|127\.0\.0\.1):\d+/g, '$1:8080')
      .replaceAll(/#[A-Za-z0-9_-]{43}/g, '#0');
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const leveled = level(node.nodeValue ?? '');
      if (leveled !== node.nodeValue) node.nodeValue = leveled;
    }
  });
}

/** A picture of the whole page, without a blinking caret. */
export async function takePicture(page: Page): Promise<Buffer> {
  await levelTexts(page);
  // What lies over a page lies over what can be seen of it.
  const fullPage = await page.getByRole('dialog').filter({ visible: true }).count() === 0;
  return page.screenshot({ fullPage, animations: 'disabled', caret: 'hide', scale: 'css' });
}

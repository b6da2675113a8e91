import { renderPage, installDocument } from '../test-support/render-page';
import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from '@jest/globals';
import { Amount } from './amount';
import { AmountOverlay } from './amount-overlay';

installDocument();

const EXACT = { value: '1922.289', usd: '1.922289' };

function copied(node: HTMLElement): string | undefined {
  const texts: Record<string, string> = {};
  const event = Object.assign(new Event('copy', { bubbles: true, cancelable: true }), { clipboardData: { setData: (type: string, text: string) => { texts[type] = text; } } });
  fireEvent(node, event);
  return texts['text/plain'];
}

describe('dollars', () => {
  it('are rounded to cents, with both exact amounts in their accessible name', async () => {
    await renderPage(<Amount {...EXACT} />);
    expect(screen.getByRole('button').textContent).toBe('$1.92, exactly $1.922289, 1,922.289 service tokens');
  });

  it('are shown with two significant digits below a cent', async () => {
    await renderPage(<Amount value="0.068" usd="0.0000683" />);
    expect(screen.getByRole('button').textContent).toMatch(/^\$0\.000068, exactly \$0\.0000683,/);
  });

  it('are shown with every digit for one request', async () => {
    const { container } = await renderPage(<Amount {...EXACT} full />);
    expect(container.textContent).toBe('$1.922289');
  });

  it('are copied with every digit while they have the focus; before, nothing is copied', async () => {
    await renderPage(<><Amount {...EXACT} /><AmountOverlay /></>);
    const button = screen.getByRole('button');
    expect(copied(button)).toBeUndefined();
    fireEvent.focus(button);
    expect(copied(button)).toBe('1.922289');
    expect(await screen.findByRole('tooltip', { hidden: true })).toBeTruthy();
    fireEvent.keyDown(document.body, { key: 'Escape' });
  });

  it('explain the units when they are clicked', async () => {
    await renderPage(<><Amount {...EXACT} /><AmountOverlay /></>);
    fireEvent.click(screen.getByRole('button'));
    expect(await screen.findByRole('dialog', { name: 'Units' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  });
});

describe('service tokens', () => {
  it('have every digit, and their unit for screen readers', async () => {
    const { container } = await renderPage(<Amount value="9007199254740993.000001" />);
    expect(container.textContent).toBe('9,007,199,254,740,993.000001 service tokens');
  });

  it('in a column have six decimal places', async () => {
    const { container } = await renderPage(<Amount value="12.5" form="column" />);
    expect(container.querySelector('[data-amount]')?.textContent).toBe('12.500000');
  });
});

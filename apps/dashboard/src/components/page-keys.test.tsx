import { installDocument, renderPage } from '../test-support/render-page';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Button, MantineProvider, Popover } from '@mantine/core';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { isForPage } from './page-keys';

installDocument();

let forPage: string[] = [];
const note = (event: KeyboardEvent) => { if (isForPage(event)) forPage.push(event.key); };
beforeEach(() => {
  forPage = [];
  window.addEventListener('keydown', note);
});
afterEach(() => window.removeEventListener('keydown', note));

/** Duration of transitions in milliseconds: longer than the test. */
const DURATION = 60_000;

/**
 * A page whose popover has transitions, as in a browser. Tests have no layout, so by default Mantine would take the popover for detached and hide it.
 */
function Page() {
  return (
    <MantineProvider env="default" withCssVariables={false} withGlobalClasses={false}>
      <Button>Page</Button><input aria-label="Field" />
      <Popover hideDetached={false} transitionProps={{ duration: DURATION }}><Popover.Target><Button>Open</Button></Popover.Target><Popover.Dropdown><Button>Inside</Button></Popover.Dropdown></Popover>
    </MantineProvider>
  );
}

const button = (name: string) => screen.getByRole('button', { name });
const press = (element: Element, key: string) => fireEvent.keyDown(element, { key });
const popover = () => screen.getByRole('dialog');

it('a page handles keys pressed outside fields, but not together with Ctrl', async () => {
  await renderPage(<Page />);
  press(button('Page'), 'j');
  press(screen.getByLabelText('Field'), 'k');
  fireEvent.keyDown(button('Page'), { key: 'c', ctrlKey: true });
  expect(forPage).toEqual(['j']);
});

it('a page ignores keys while a dialog or popover is open, and handles them again while it fades out', async () => {
  await renderPage(<Page />);
  fireEvent.click(button('Open'));
  await waitFor(() => expect(popover().style.opacity).toBe('1'));
  press(button('Page'), 'j');
  press(button('Inside'), 'Escape');
  expect(forPage).toEqual([]);
  await waitFor(() => expect(popover().style.opacity).toBe('0'));
  press(button('Page'), 'k');
  expect(forPage).toEqual(['k']);
});

it('a page ignores the key that closes a dialog, even if the dialog is removed at once', () => {
  const layer = document.createElement('div');
  layer.setAttribute('role', 'dialog');
  layer.addEventListener('keydown', () => layer.remove());
  document.body.append(layer);
  press(layer, 'Escape');
  expect([forPage, layer.isConnected]).toEqual([[], false]);
});

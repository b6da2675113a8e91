import { renderPage, installDocument } from '../../../test-support/render-page';
import { expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { json, ScriptedApi } from '../../../test-support/scripted-api';
import { ActorName } from './actor-name';

installDocument();

const MACHINE = 'mach_0VbhAbcdefghijmqlaxE';
const apiWith = (...machines: readonly object[]) => new ScriptedApi().on('GET /dashboard/api/operator/machines', () => json({ object: 'list', data: machines, has_more: false, grantable_scopes: [] }));

it('the audit log names a machine that acted or was changed, with its id on hover', async () => {
  await renderPage(<><ActorName id={`machine:${MACHINE}`} /><ActorName id={MACHINE} /></>, { api: apiWith({ id: MACHINE, name: 'Shop' }) });
  await waitFor(() => expect(screen.getAllByRole('link').map(({ textContent }) => textContent?.replaceAll(/[\u2066-\u2069]/g, ''))).toEqual(['Shop', 'Shop']));
  expect(screen.getAllByRole('link').map(({ title }) => title)).toEqual([`machine:${MACHINE}`, MACHINE]);
});

it('the audit log shortens the id of an unknown machine', async () => {
  await renderPage(<ActorName id={`machine:${MACHINE}`} />, { api: apiWith() });
  expect((await screen.findByRole('link')).textContent).toBe('mach_0Vb…mqlaxE');
});

import { OWNER, renderPage, installDocument } from '../test-support/render-page';
import { screen } from '@testing-library/react';
import { expect, it } from '@jest/globals';
import { json, ScriptedApi } from '../test-support/scripted-api';
import { Banner } from './banner';

installDocument();

const POOR = { usual_request: { requests_left: 0, model: 'aster', needs: { svc_tokens: '1', usd: '0.001' }, available: { svc_tokens: '0.4', usd: '0.0004' } } };
const person = (role: 'owner' | 'operator') => ({ person: { id: 'person_1', email: 'op@example.com', name: 'Op', role } });

function open(path: string, role: 'owner' | 'operator', me: object = POOR) {
  const all = { ...person(role), ...me };
  const api = new ScriptedApi().on('GET /dashboard/api/overview', () => json({ runs_out_in_days: null })).on('GET /dashboard/api/me', () => json({ ...OWNER, ...all }));
  return renderPage(<Banner />, { path, me: all, api });
}

const note = () => screen.queryByText('Your requests are refused for lack of credit.');

it('the banner warns owners that their balance pays for no request', async () => {
  await open('/usage', 'owner');
  expect(note()).not.toBeNull();
});

it('the banner warns operators of their low balance on the pages of their own account', async () => {
  await open('/usage', 'operator');
  expect(note()).not.toBeNull();
});

it('the banner says nothing about the operator’s own balance on the pages of operators', async () => {
  await open('/operator/accounts', 'operator');
  expect(note()).toBeNull();
});

it('the banner says nothing while the balance pays for requests', async () => {
  await open('/usage', 'owner', { usual_request: { ...POOR.usual_request, requests_left: 1000 } });
  expect(note()).toBeNull();
});

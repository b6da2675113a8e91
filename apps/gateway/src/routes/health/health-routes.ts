import type { Router } from 'express';
import type { AccountId, Ledger } from '@tollgate/core';
import type { AdmissionGate } from '../../http/admission-gate.js';
import { exchangeOf } from '../../http/open-exchange.js';
import { sendJson } from '../../http/reply/send-json.js';

export interface HealthPorts {
  readonly gate: AdmissionGate;
  readonly ledger: Ledger;
}

/** An account that does not exist: asking for it costs one look-up and tells whether the store answers. */
const NOBODY = 'acct_nobody' as AccountId;

/** Whether the store answers. Why it does not is in the log of the request that it failed. */
function storeAnswers(ledger: Ledger): Promise<boolean> {
  return ledger.balanceOf(NOBODY).then(() => true, () => false);
}

/** `GET /healthz`: the process lives. `GET /readyz`: it can serve. Open to anyone, also in maintenance, and telling nothing else. */
export function mountHealthRoutes(router: Router, { gate, ledger }: HealthPorts): void {
  router.get('/healthz', (_req, res) => {
    sendJson(exchangeOf(res), 200, { status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const store = await storeAnswers(ledger);
    const ready = store && gate.isOpen;
    const status = gate.isOpen ? 'unavailable' : 'stopping';
    sendJson(exchangeOf(res), ready ? 200 : 503, { status: ready ? 'ready' : status, store: store ? 'ok' : 'unavailable' });
  });
}

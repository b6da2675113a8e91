import type { Router } from 'express';
import type { AccountId, Clock, Ledger } from '@tollgate/core';
import type { AdmissionGate } from '../../http/admission-gate.js';
import { exchangeOf } from '../../http/open-exchange.js';
import { sendJson } from '../../http/reply/send-json.js';
import { within } from '../../server/within.js';

export interface HealthPorts {
  readonly gate: AdmissionGate;
  readonly ledger: Ledger;
  readonly clock: Clock;
}

/** An account that does not exist: asking for it costs one look-up and tells whether the store answers. */
const NOBODY = 'acct_nobody' as AccountId;

/** A store that takes longer is as good as away, and whoever asks has little patience. */
const ANSWER_MILLISECONDS = 2000;

/** Whether the store answers. Why it does not is in the log of the request that it failed. */
function storeAnswers({ ledger, clock }: HealthPorts): Promise<boolean> {
  return within(ledger.balanceOf(NOBODY).then(() => undefined), ANSWER_MILLISECONDS, clock).catch(() => false);
}

/** `GET /healthz`: the process lives. `GET /readyz`: it can serve. Open to anyone, also in maintenance, and telling nothing else. */
export function mountHealthRoutes(router: Router, ports: HealthPorts): void {
  const { gate } = ports;
  router.get('/healthz', (_req, res) => {
    sendJson(exchangeOf(res), 200, { status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const store = await storeAnswers(ports);
    const ready = store && gate.isOpen;
    const status = gate.isOpen ? 'unavailable' : 'stopping';
    sendJson(exchangeOf(res), ready ? 200 : 503, { status: ready ? 'ready' : status, store: store ? 'ok' : 'unavailable' });
  });
}

import type { Router } from 'express';
import type { AdmissionGate } from '../../http/admission-gate.js';
import { exchangeOf } from '../../http/open-exchange.js';
import { sendJson } from '../../http/reply/send-json.js';

export interface HealthPorts {
  readonly gate: AdmissionGate;
  /** Whether the store answers; rejects or gives `false` when it does not. */
  readonly storeAnswers: () => Promise<boolean>;
}

/** `GET /healthz`: the process lives. `GET /readyz`: it can serve. Open to anyone, also in maintenance, and telling nothing else. */
export function mountHealthRoutes(router: Router, { gate, storeAnswers }: HealthPorts): void {
  router.get('/healthz', (_req, res) => {
    sendJson(exchangeOf(res), 200, { status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const store = await storeAnswers().catch(() => false);
    const ready = store && gate.isOpen;
    const status = gate.isOpen ? 'unavailable' : 'stopping';
    sendJson(exchangeOf(res), ready ? 200 : 503, { status: ready ? 'ready' : status, store: store ? 'ok' : 'unavailable' });
  });
}

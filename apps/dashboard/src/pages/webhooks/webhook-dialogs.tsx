import { webhooks as texts } from '#texts/webhooks';
import { call } from '../../api/call';
import { DangerDialog } from '../../components/confirm-dialog';
import { useFreshCall } from '../../components/fresh-proof';
import { PlainDialog } from '../../components/plain-dialog';
import { shortInstant } from '../../format/instant';
import { CatchUpDialog } from './catch-up-dialog';
import type { Side } from './side';
import { TermsDialog } from './terms-dialog';
import { hostOf, type IssuedWebhook, overlapUntil, rotationUntil, type Webhook } from './webhook';
import { bodyOf, fieldsOf } from './webhook-form';

export type WebhookAct = 'edit' | 'rotate' | 'catch-up' | 'disable' | 'enable' | 'delete';

interface WebhookDialogsProps {
  readonly webhook: Webhook;
  readonly side: Side;
  readonly act: WebhookAct;
  readonly onClose: () => void;
  /** Receives a sentence to show if the page itself does not show the change. */
  readonly onDone: (sentence?: string) => void;
  readonly onIssued: (issued: IssuedWebhook) => void;
  readonly onDeleted: () => void;
}

export function WebhookDialogs({ webhook, side, act, onClose, onDone, onIssued, onDeleted }: WebhookDialogsProps) {
  const fresh = useFreshCall();
  const params = { id: webhook.id };
  const { rotate, delete: removal, disable, enable } = texts;
  const setStatus = async (status: Webhook['status']) => {
    await fresh(() => call(side.change, { params, body: { status } }));
    onDone();
  };
  switch (act) {
    case 'edit': return (
      <TermsDialog
        title={texts.edit.title} action={texts.form.save} whose={side.whose} initial={fieldsOf(webhook)} onClose={onClose}
        onSubmit={async (fields) => {
          await call(side.change, { params, body: bodyOf(fields) });
          onDone();
          onClose();
        }}
      />
    );
    case 'catch-up': return (
      <CatchUpDialog
        onClose={onClose}
        onConfirm={async (since) => {
          await call(side.resend, { params, query: { since } });
          onDone(texts.catchUp.done);
        }}
      />
    );
    case 'disable': return <PlainDialog opened {...disable} onConfirm={() => setStatus('disabled')} onClose={onClose} />;
    case 'enable': return <PlainDialog opened {...enable} onConfirm={() => setStatus('active')} onClose={onClose} />;
    case 'rotate': return (
      <DangerDialog
        opened title={rotate.title} effect={`${rotate.effect(shortInstant(rotationUntil()))}${overlapUntil(webhook) === null ? '' : ` ${rotate.earlier}`}`} action={rotate.action} onClose={onClose}
        onConfirm={async () => onIssued(await fresh(() => call(side.rotate, { params })))}
      />
    );
    case 'delete': return (
      <DangerDialog
        opened title={removal.title(hostOf(webhook.url))} effect={removal.effect} action={removal.action} onClose={onClose}
        onConfirm={async () => {
          await call(side.remove, { params });
          onDeleted();
        }}
      />
    );
  }
}

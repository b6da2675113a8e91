import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useRef, useState } from 'react';
import { webhooks as texts } from '#texts/webhooks';
import { hasCode } from '../../api/api-error';
import { call } from '../../api/call';
import { keyOf, useRoute } from '../../api/use-route';
import { FormProblem } from '../../components/form-problem';
import { TextLink } from '../../components/link';
import { Note } from '../../components/note';
import { Page } from '../../components/page';
import { Part } from '../../components/part';
import { SecretDialog } from '../../components/secret-dialog';
import { NotFoundPage } from '../../shell/not-found-page';
import { Deliveries } from './deliveries';
import type { Side } from './side';
import { hostOf, type IssuedWebhook, stateOf, type Webhook } from './webhook';
import { type WebhookAct, WebhookDialogs } from './webhook-dialogs';
import { WebhookFacts } from './webhook-facts';
import classes from './webhooks.module.css';

const FACTS_HEIGHT = 240;
const { detail } = texts;

interface ActionsProps {
  readonly webhook: Webhook;
  readonly rotator: RefObject<HTMLButtonElement | null>;
  readonly onTest: () => void;
  readonly onAct: (act: WebhookAct) => void;
}

/** The test button shows no loading state, which would disable it and so lose the focus. */
function Actions({ webhook: { status }, rotator, onTest, onAct }: ActionsProps) {
  const isActive = status === 'active';
  return (
    <div className={classes['actions']}>
      {isActive && <Button onClick={onTest}>{texts.sendTest}</Button>}
      <Button variant={isActive ? 'default' : 'filled'} onClick={() => onAct('catch-up')}>{texts.catchUp.open}</Button>
      <Button variant="default" onClick={() => onAct('edit')}>{texts.edit.action}</Button>
      <Button variant="default" onClick={() => onAct(isActive ? 'disable' : 'enable')}>{isActive ? texts.disable.action : texts.enable.action}</Button>
      <Button ref={rotator} variant="default" onClick={() => onAct('rotate')}>{texts.rotate.open}</Button>
      <Button variant="outline" color="red" onClick={() => onAct('delete')}>{texts.delete.open}</Button>
    </div>
  );
}

function Standing({ webhook }: { readonly webhook: Webhook }) {
  const state = stateOf(webhook);
  if (state === 'delivering') return null;
  return <Note kind="warning">{state === 'failing' ? detail.failing : detail.stopped}</Note>;
}

export function OneWebhook({ id, side }: { readonly id: string; readonly side: Side }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const query = useRoute(side.read, { params: { id } });
  const [act, setAct] = useState<WebhookAct | null>(null);
  const [issued, setIssued] = useState<IssuedWebhook | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const rotator = useRef<HTMLButtonElement>(null);
  const changed = (sentence?: string) => {
    setDone(sentence ?? null);
    for (const queryKey of [keyOf(side.read), keyOf(side.list), ['list', ...keyOf(side.deliveries)]]) void client.invalidateQueries({ queryKey });
  };
  const forget = () => {
    setIssued(null);
    window.requestAnimationFrame(() => rotator.current?.focus());
  };
  const test = useMutation({ mutationFn: () => call(side.test, { params: { id } }), onSuccess: () => changed(texts.testSent) });
  const webhook = query.data;
  if (hasCode(query.error, 'not_found')) return <NotFoundPage />;
  return (
    <Page
      title={webhook === undefined ? detail.facts : hostOf(webhook.url)}
      action={webhook !== undefined && <Actions webhook={webhook} rotator={rotator} onTest={() => { if (!test.isPending) test.mutate(); }} onAct={setAct} />}
    >
      <div className="in-text"><TextLink to={side.page}>{detail.back}</TextLink></div>
      {done !== null && <Note kind="good" announced>{done}</Note>}
      <FormProblem error={test.error} />
      <Part query={query} height={FACTS_HEIGHT}>
        {(one) => (
          <div className={classes['page']}>
            <Standing webhook={one} />
            <WebhookFacts webhook={one} />
            {act !== null && (
              <WebhookDialogs
                webhook={one} side={side} act={act} onClose={() => setAct(null)} onDone={changed}
                onIssued={(next) => {
                  setIssued(next);
                  changed();
                }}
                onDeleted={() => {
                  void client.invalidateQueries({ queryKey: keyOf(side.list) });
                  void navigate({ to: side.page });
                }}
              />
            )}
          </div>
        )}
      </Part>
      <Deliveries id={id} side={side} onResent={() => changed(texts.resent)} />
      {issued !== null && <SecretDialog title={texts.issued.rotated} secret={issued.secret} texts={texts.issued} onClose={forget} />}
    </Page>
  );
}

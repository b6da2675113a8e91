import { ActionIcon, Skeleton } from '@mantine/core';
import { lazy, Suspense, type ReactNode } from 'react';
import { overview as texts } from '#texts/overview';
import type { Reply } from '../../api/call';
import { useRoute } from '../../api/use-route';
import { Card } from '../../components/card';
import { CreditLine } from '../../components/credit-line';
import { CheckIcon, CloseIcon } from '../../components/icons';
import { TextLink } from '../../components/link';
import { Note } from '../../components/note';
import { isZero } from '../../format/amount';
import { closeFirstSteps, useFirstStepsClosed } from '../../session/first-steps';
import { useMe } from '../../session/person';
import classes from './overview.module.css';

const FirstServerRequest = lazy(() => import('./first-server-request'));

type Overview = Reply<'overview'>;
const { start } = texts;
/** Polling interval in milliseconds while the first request is expected. */
const EVERY = 5_000;
const SNIPPET_HEIGHT = 280;

interface StepProps {
  readonly done: boolean;
  readonly title: string;
  readonly help: string;
  /** Shown until the step is done. */
  readonly children: ReactNode;
}

function Step({ done, title, help, children }: StepProps) {
  return (
    <li className={classes['step']}>
      <span className={`${classes['mark']} ${done ? classes['marked'] : ''}`}>{done && <CheckIcon />}</span>
      <div>
        <div className={done ? 'muted' : classes['name']}>{done && <span className="visually-hidden">{start.done} </span>}{title}</div>
        {!done && <div className="muted in-text">{help} <span className={classes['ways']}>{children}</span></div>}
      </div>
    </li>
  );
}

interface Steps {
  readonly key: boolean;
}

/**
 * `null` before the overview is loaded, after the card is closed, and once a request with one of the account's keys was served. From the first key
 * on, polls the overview for that request.
 */
export function useFirstSteps(overview: Overview | undefined): Steps | null {
  const { account: { id } } = useMe();
  const closed = useFirstStepsClosed(id);
  const steps = overview === undefined || closed || overview.api_used ? null : { key: overview.account.used.api_keys > 0 };
  useRoute('overview', {}, { refetchInterval: steps?.key === true ? EVERY : false });
  return steps;
}

/** Steps are ticked automatically. The card disappears after the last, or when closed. */
export function GetStarted({ steps, overview }: { readonly steps: Steps; readonly overview: Overview }) {
  const { account: { id }, settings: { credit_line: creditLine } } = useMe();
  const model = overview.usual_request?.model;
  const close = <ActionIcon variant="subtle" color="gray" aria-label={start.close} onClick={() => closeFirstSteps(id)}><CloseIcon /></ActionIcon>;
  return (
    <Card title={start.title} aside={close}>
      {isZero(overview.account.balance.available.svc_tokens) && <Note kind="warning">{start.credit} <CreditLine line={creditLine} /></Note>}
      <ol className={classes['steps']}>
        <Step done={steps.key} title={start.key} help={start.keyHelp}><TextLink to="/keys" search={{ create: '1' }}>{texts.create}</TextLink></Step>
        <Step done={false} title={start.request} help={start.requestHelp}>
          <TextLink to="/playground" search={{ try: '1' }}>{texts.tryModel}</TextLink> <TextLink to="/models">{start.snippets}</TextLink>
        </Step>
      </ol>
      {model !== undefined && <Suspense fallback={<Skeleton h={SNIPPET_HEIGHT} />}><FirstServerRequest model={model} /></Suspense>}
    </Card>
  );
}

import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { overview as texts } from '#texts/overview';
import type { Reply } from '../../api/call';
import { useRoute } from '../../api/use-route';
import { Card } from '../../components/card';
import { CreditLine } from '../../components/credit-line';
import { CheckIcon, CloseIcon } from '../../components/icons';
import { TextLink } from '../../components/link';
import { Note } from '../../components/note';
import { isZero } from '../../format/amount';
import { noteStep, useStep } from '../../session/first-steps';
import { useMe } from '../../session/person';
import classes from './overview.module.css';

type Overview = Reply<'overview'>;
const { start } = texts;

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
  readonly request: boolean;
  readonly charge: boolean;
}

/** `null` before the overview is loaded, after the card is closed, and when all steps are done. */
export function useFirstSteps(overview: Overview | undefined): Steps | null {
  const { account: { id } } = useMe();
  const closed = useStep(id, 'closed');
  const charge = useStep(id, 'charge-seen');
  if (overview === undefined || closed) return null;
  const steps = { key: overview.account.used.api_keys > 0, request: overview.days.some(({ requests }) => requests > 0), charge };
  return steps.key && steps.request && steps.charge ? null : steps;
}

/** Steps are ticked automatically. The card disappears after the third, or when closed. */
export function GetStarted({ steps, overview }: { readonly steps: Steps; readonly overview: Overview }) {
  const { account: { id }, settings: { credit_line: creditLine } } = useMe();
  const newest = useRoute('listUsage', { query: { limit: 1 } }, { enabled: steps.request && !steps.charge }).data?.data[0];
  const close = <ActionIcon variant="subtle" color="gray" aria-label={start.close} onClick={() => noteStep(id, 'closed')}><CloseIcon /></ActionIcon>;
  return (
    <Card title={start.title} aside={close}>
      {isZero(overview.account.balance.available.svc_tokens) && <Note kind="warning">{start.credit} <CreditLine line={creditLine} /></Note>}
      <ol className={classes['steps']}>
        <Step done={steps.key} title={start.key} help={start.keyHelp}><TextLink to="/keys" search={{ create: '1' }}>{texts.create}</TextLink></Step>
        <Step done={steps.request} title={start.request} help={start.requestHelp}>
          <TextLink to="/playground" search={{ try: '1' }}>{texts.tryModel}</TextLink> <TextLink to="/models">{start.snippets}</TextLink>
        </Step>
        <Step done={steps.charge} title={start.charge} help={start.chargeHelp}>
          {newest !== undefined && <TextLink to="/usage/$requestId" params={{ requestId: newest.request_id }}>{start.viewCharge}</TextLink>}
        </Step>
      </ol>
    </Card>
  );
}

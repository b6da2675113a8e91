import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { entry } from '#texts/entry';
import { hasCode, isApiError } from '../../api/api-error';
import { fieldErrors } from '../../components/form-errors';
import { FormProblem } from '../../components/form-problem';
import { ButtonLink } from '../../components/link';
import { Note } from '../../components/note';
import { Page } from '../../components/page';
import { forgetLinkToken, linkTokenFor } from '../../session/link-token';
import classes from './entry.module.css';
import { InsecureNote } from './entry-parts';

export interface LinkOutcome {
  readonly kind: 'good' | 'bad';
  readonly text: string;
  /** Link or button for the next step; by default, sign-in. */
  readonly action?: ReactNode;
}

interface PasswordField {
  readonly label: string;
  readonly note: string;
  readonly autoComplete: 'current-password' | 'new-password';
}

interface TokenPageProps {
  /** Name of the page in the URL path. */
  readonly page: string;
  readonly title: string;
  readonly lead: string;
  readonly submit: string;
  readonly field?: PasswordField;
  /** Called only when the button is pressed, because mail scanners open links too. Resolves with the outcome, or with `undefined` if it navigates. */
  readonly onSubmit: (token: string, password: string) => Promise<LinkOutcome | undefined>;
  readonly second?: { readonly label: string; readonly onPress: (token: string) => Promise<LinkOutcome> };
  /** Shown for an invalid token. */
  readonly askAgain?: ReactNode;
}

/** The outcome of a link. It takes the focus when it appears. */
function Ended({ kind, text, action }: LinkOutcome) {
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => note.current?.focus(), []);
  return (
    <div ref={note} tabIndex={-1} className={classes['choice']}>
      <Note kind={kind} announced>{text}</Note>
      <div>{action ?? <ButtonLink to="/sign-in" variant="default">{entry.backToSignIn}</ButtonLink>}</div>
    </div>
  );
}

/** `null` for errors other than an invalid token and an insecure address. */
function endingOf(error: unknown, askAgain: ReactNode): LinkOutcome | null {
  if (isApiError(error) && error.code === 'token_invalid') return { kind: 'bad', text: entry.token.invalid(error.message), action: askAgain };
  return hasCode(error, 'insecure_address') ? { kind: 'bad', text: entry.insecure } : null;
}

function TokenForm({ token, submit, field, onSubmit, second, askAgain, onEnd }: TokenPageProps & { readonly token: string; readonly onEnd: (ending: LinkOutcome) => void }) {
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const act = useMutation({
    mutationFn: (press: () => Promise<LinkOutcome | undefined>) => press(),
    onSuccess: (ending) => {
      forgetLinkToken();
      if (ending !== undefined) onEnd(ending);
    },
    onError: (error) => {
      const ending = endingOf(error, askAgain);
      if (ending !== null) onEnd(ending);
      else if (fieldErrors(error, ['password']).password !== undefined) input.current?.focus();
    },
  });
  const press = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const lacks = field !== undefined && password === '';
    setMissing(lacks);
    if (lacks) input.current?.focus();
    else act.mutate(() => onSubmit(token, password));
  };
  return (
    <form noValidate className={classes['form']} onSubmit={press}>
      {field !== undefined && (
        <PasswordInput
          ref={input} label={field.label} description={field.note} name="password" autoComplete={field.autoComplete} maxLength={1024} value={password}
          error={missing ? entry.required : fieldErrors(act.error, ['password']).password} onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
      )}
      {hasCode(act.error, 'unreachable') ? <Note kind="bad" role="alert">{entry.unreachable}</Note> : <FormProblem error={act.error} fields={['password']} />}
      <Button type="submit" loading={act.isPending}>{submit}</Button>
      {second !== undefined && <Button variant="default" disabled={act.isPending} onClick={() => act.mutate(() => second.onPress(token))}>{second.label}</Button>}
    </form>
  );
}

/** Opened by a mailed link. The token stays in memory; nothing is sent before the button is pressed. */
export function TokenPage(props: TokenPageProps) {
  const [token] = useState(() => linkTokenFor(props.page));
  const [ending, setEnding] = useState<LinkOutcome | null>(token === null ? { kind: 'bad', text: entry.token.none } : null);
  if (!window.isSecureContext) return <Page title={props.title}><InsecureNote /></Page>;
  return (
    <Page title={props.title} help={ending === null ? props.lead : undefined}>
      {ending !== null && <Ended {...ending} />}
      {ending === null && token !== null && <TokenForm {...props} token={token} onEnd={setEnding} />}
    </Page>
  );
}

import { Anchor, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { entry } from '#texts/entry';
import { FormProblem } from '../../components/form-problem';
import { TextLink } from '../../components/link';
import { Note } from '../../components/note';
import { Page } from '../../components/page';
import classes from './entry.module.css';
import { NoMailNote } from './entry-parts';

interface LinkSentProps {
  readonly title: string;
  readonly text: string;
  readonly onResend: () => Promise<unknown>;
  /** Returns to the form. */
  readonly onOther: () => void;
}

export function LinkSent({ title, text, onResend, onOther }: LinkSentProps) {
  const resend = useMutation({ mutationFn: onResend });
  return (
    <Page title={title}>
      <Note kind="good" announced>{text}</Note>
      <NoMailNote />
      <p className="muted">{entry.sent.nothingCame}</p>
      <FormProblem error={resend.error} />
      {resend.isSuccess && <Note kind="info" announced>{entry.sent.sentAgain}</Note>}
      <div className={classes['form']}><Button variant="default" loading={resend.isPending} onClick={() => resend.mutate()}>{entry.sent.again}</Button></div>
      <div className={classes['links']}>
        <p><Anchor component="button" type="button" inherit underline="always" onClick={onOther}>{entry.sent.otherAddress}</Anchor></p>
        <p><TextLink to="/sign-in">{entry.backToSignIn}</TextLink></p>
      </div>
    </Page>
  );
}

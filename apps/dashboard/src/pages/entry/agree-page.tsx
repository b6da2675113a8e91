import { Anchor, Button, Checkbox } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { consent as texts } from '#texts/consent';
import { hasCode } from '../../api/api-error';
import { call, type Reply } from '../../api/call';
import { keyOf, useRoute } from '../../api/use-route';
import { FormProblem } from '../../components/form-problem';
import { Page } from '../../components/page';
import { Part } from '../../components/part';
import { useSignOut } from '../../session/person';
import { useEnter } from '../../session/use-enter';
import classes from './entry.module.css';
import { Onward } from './onward';

type Asked = Reply<'consent'>['documents'][number];

const route = getRouteApi('/entry/agree');
const FORM_HEIGHT = 200;

function Statement({ asked: { document, url } }: { readonly asked: Asked }) {
  return <>{texts.before[document]} <a href={url} target="_blank" rel="noopener noreferrer">{texts.names[document]}</a></>;
}

interface AgreeFormProps {
  readonly documents: readonly Asked[];
  readonly to: string | undefined;
}

function AgreeForm({ documents, to }: AgreeFormProps) {
  const client = useQueryClient();
  const enter = useEnter();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [isTried, setTried] = useState(false);
  const agree = useMutation({
    mutationFn: () => call('agree', { body: Object.fromEntries(documents.map(({ document, version }) => [document, version])) }),
    onSuccess: () => enter('full', to),
    onError: (error) => { if (hasCode(error, 'conflict')) void client.invalidateQueries({ queryKey: keyOf('consent') }); },
  });
  const tick = (document: string, isTicked: boolean) => setTicked((before) => new Set(isTicked ? [...before, document] : [...before].filter((one) => one !== document)));
  const isComplete = documents.every(({ document }) => ticked.has(document));
  const submit = () => {
    setTried(true);
    if (isComplete) agree.mutate();
  };
  return (
    <form noValidate className={classes['form']} onSubmit={(event) => { event.preventDefault(); submit(); }}>
      {documents.map((asked) => (
        <Checkbox
          key={asked.document} checked={ticked.has(asked.document)} onChange={({ currentTarget: { checked } }) => tick(asked.document, checked)}
          label={<Statement asked={asked} />} description={texts.version(asked.version)} error={isTried && !ticked.has(asked.document) ? texts.required : undefined}
        />
      ))}
      <FormProblem error={agree.error} />
      <Button type="submit" loading={agree.isPending}>{texts.submit}</Button>
    </form>
  );
}

/** Asks the person to agree to the terms and the privacy notice in force. Opened after sign-in, and whenever the gateway requires consent. */
export function AgreePage() {
  const { to } = route.useSearch();
  const query = useRoute('consent', {});
  const signOut = useSignOut();
  const isRenewed = query.data?.documents.every(({ agreed_version: before }) => before !== null) === true;
  return (
    <Page title={texts.title} help={isRenewed ? texts.changedLead : texts.lead}>
      <Part query={query} height={FORM_HEIGHT}>{({ documents }) => (documents.length === 0 ? <Onward to={to} /> : <AgreeForm key={documents.map(({ version }) => version).join()} documents={documents} to={to} />)}</Part>
      <p><Anchor component="button" type="button" inherit underline="always" onClick={() => void signOut()}>{texts.signOut}</Anchor></p>
    </Page>
  );
}

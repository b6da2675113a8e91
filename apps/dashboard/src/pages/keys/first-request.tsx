import { Box, SegmentedControl } from '@mantine/core';
import { useRef, useState } from 'react';
import { keys as texts } from '#texts/keys';
import { useRoute } from '../../api/use-route';
import { CopyButton } from '../../components/copy-button';
import { TextLink } from '../../components/link';
import { selectText } from '../../components/select-text';
import { useMe } from '../../session/person';
import type { IssuedKey } from './create-dialog';
import { FIRST_LANGUAGES, firstCommand, type FirstLanguage, maskedSecret } from './first-command';
import classes from './keys.module.css';

import { useFirstRequest } from './use-first-request';

const { issued: labels } = texts;
const LANGUAGES = FIRST_LANGUAGES.map((value) => ({ value, label: labels.language[value] }));

/** The first model that the key permits; the first of the plan if the key permits all. */
function useModel({ models }: IssuedKey): string | undefined {
  const all = useRoute('listModels', {}, { enabled: models === null }).data?.data;
  return models === null ? all?.find(({ in_plan: inPlan }) => inPlan)?.id : models[0];
}

/** Links to the charge once the first request has arrived. */
function Arrival({ keyId }: { readonly keyId: string }) {
  const { state, requestId } = useFirstRequest(keyId);
  return (
    <output className={`${classes['arrival']} ${state === 'arrived' ? classes['arrived'] : 'muted'} in-text`}>
      {state === 'waiting' && labels.waiting}
      {state === 'stopped' && labels.stopped}
      {state === 'arrived' && labels.arrived}{' '}
      {requestId !== null && <TextLink to="/usage/$requestId" params={{ requestId }}>{labels.viewCharge}</TextLink>}
      {state === 'arrived' && requestId === null && labels.running}
    </output>
  );
}

/** The key is masked on the page, and complete when copied. */
export function FirstRequest({ issued, onCopied }: { readonly issued: IssuedKey; readonly onCopied: () => void }) {
  const { settings: { api_url: baseUrl } } = useMe();
  const [language, setLanguage] = useState<FirstLanguage>('curl');
  const [unmasked, setUnmasked] = useState(false);
  const code = useRef<HTMLPreElement>(null);
  const model = useModel(issued);
  if (model === undefined) return null;
  const commandWith = (secret: string) => firstCommand({ secret, baseUrl, model, language });
  const whole = commandWith(issued.secret);
  const showWhole = () => {
    setUnmasked(true);
    window.requestAnimationFrame(() => selectText(code.current));
  };
  return (
    <section className={classes['first']} aria-label={labels.first}>
      <div className={classes['head']}>
        <strong>{labels.first}</strong>
        <SegmentedControl size="xs" aria-label={labels.languages} data={LANGUAGES} value={language} onChange={(value) => setLanguage(value)} />
      </div>
      <Box component="pre" ref={code} className={classes['command'] ?? ''} tabIndex={0} aria-label={labels.first}>{unmasked ? whole : commandWith(maskedSecret(issued.secret))}</Box>
      <div className={classes['head']}>
        <span className={classes['copy']}><CopyButton text={whole} label={labels.copyCommand} failedText={labels.commandFailed} onCopied={onCopied} onFailed={showWhole} /> <span className="muted">{labels.copiedWhole}</span></span>
      </div>
      <Arrival keyId={issued.id} />
    </section>
  );
}

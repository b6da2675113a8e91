import { JsonInput, NativeSelect, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { playground as texts } from '#texts/playground';
import type { Reply } from '../../api/call';
import { Note } from '../../components/note';
import { perMillion, priceText } from '../../format/price';
import { type Effort, readTools, type Settings } from './conversation';
import { FORMATS } from './reply';
import classes from './playground.module.css';

type Model = Reply<'listModels'>['data'][number];

const EFFORTS: readonly Effort[] = ['default', 'none', 'low', 'medium', 'high'];

/** By field; empty if valid. */
export function settingsProblems({ maximum, temperature, tools }: Settings): { readonly maximum?: string; readonly temperature?: string; readonly tools?: string } {
  const read = readTools(tools);
  return {
    ...(maximum === '' || /^[1-9]\d{0,8}$/.test(maximum) ? {} : { maximum: texts.maximumInvalid }),
    ...(temperature === '' || /^(?:[01](?:\.\d+)?|2(?:\.0+)?)$/.test(temperature) ? {} : { temperature: texts.temperatureInvalid }),
    ...('problem' in read ? { tools: texts.toolProblems[read.problem] } : {}),
  };
}

interface SettingsPanelProps {
  readonly settings: Settings;
  readonly models: readonly Model[];
  readonly onChange: (change: Partial<Settings>) => void;
}

export function SettingsPanel({ settings, models, onChange }: SettingsPanelProps) {
  const chosen = models.find(({ id }) => id === settings.model);
  const problems = settingsProblems(settings);
  const { prompt, output, usd_per_service_token: usd } = chosen?.pricing ?? { prompt: '0', output: '0', usd_per_service_token: '0' };
  return (
    <div className={classes['settings']}>
      <Note kind="info">{texts.billed}</Note>
      <NativeSelect
        label={texts.model} value={settings.model} onChange={({ currentTarget }) => onChange({ model: currentTarget.value })}
        description={chosen === undefined ? undefined : texts.prices(priceText(perMillion(prompt, usd)), priceText(perMillion(output, usd)))}
        data={models.map(({ id, in_plan: inPlan }) => ({ value: id, label: inPlan ? id : `${id} – ${texts.notInPlan}`, disabled: !inPlan }))}
      />
      <SegmentedControl
        aria-label={texts.format} value={settings.format} onChange={(format) => onChange({ format })}
        data={FORMATS.map((value) => ({ value, label: texts.formats[value] }))}
      />
      <Textarea label={texts.system} placeholder={texts.systemPlaceholder} autosize minRows={2} maxRows={8} value={settings.system} onChange={({ currentTarget }) => onChange({ system: currentTarget.value })} />
      <TextInput
        label={texts.maximum} description={texts.maximumHelp} inputMode="numeric" value={settings.maximum} error={problems.maximum} autoComplete="off"
        onChange={({ currentTarget }) => onChange({ maximum: currentTarget.value.trim() })}
      />
      <TextInput
        label={texts.temperature} description={texts.temperatureHelp} inputMode="decimal" value={settings.temperature} error={problems.temperature} autoComplete="off"
        onChange={({ currentTarget }) => onChange({ temperature: currentTarget.value.trim() })}
      />
      {chosen?.reasoning === true && (
        <NativeSelect
          label={texts.effort} value={settings.effort} data={EFFORTS.map((value) => ({ value, label: texts.efforts[value] }))}
          onChange={({ currentTarget }) => onChange({ effort: EFFORTS.find((effort) => effort === currentTarget.value) ?? 'default' })}
        />
      )}
      <JsonInput
        label={texts.tools} description={texts.toolsHelp} autosize minRows={2} maxRows={12} value={settings.tools} error={problems.tools} onChange={(tools) => onChange({ tools })}
        classNames={{ input: 'mono' }} spellCheck={false}
      />
    </div>
  );
}

import { Button, Radio } from '@mantine/core';
import { useState } from 'react';
import { common } from '#texts/common';
import { usage } from '#texts/usage';
import { Amount, Dollars } from '../../components/amount';
import { Dialog, DialogButtons } from '../../components/dialog';
import { DownloadIcon } from '../../components/icons';
import { exactCount } from '../../format/count';
import { periodLabel } from '../../format/period';
import { filtersOf, periodOf, type UsageSearch } from './usage-search';
import type { UsageSums } from './usage-rows';
import facts from '../../components/facts.module.css';
import classes from './usage.module.css';

export type ExportFormat = 'csv' | 'ndjson';

interface ExportDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly search: UsageSearch;
  readonly today: string;
  /** Totals of the requests; `null` if there are no sums. */
  readonly total: UsageSums['total'] | null;
  readonly addressOf: (format: ExportFormat) => string;
}

const texts = usage.export;

/** Downloads the requests. Shows their totals, with which the person can compare the file. */
export function ExportDialog({ opened, onClose, search, today, total, addressOf }: ExportDialogProps) {
  const [format, setFormat] = useState<ExportFormat>('csv');
  const filters = Object.values(filtersOf(search)).join(' · ');
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title}>
      <dl className={facts['facts']}>
        <dt>{texts.period}</dt><dd>{common.inUtc(periodLabel(periodOf(search, today), today))}</dd>
        <dt>{texts.filters}</dt><dd>{filters === '' ? texts.none : filters}</dd>
        {total !== null && <><dt>{texts.rows}</dt><dd className="num">{exactCount(total.requests)}</dd><dt>{texts.sum}</dt><dd><Dollars value={total.svc_cost_usd} /> (<Amount value={total.svc_tokens_debited} />)</dd></>}
      </dl>
      {total === null && <p className={classes['help']}>{texts.unknown}</p>}
      <Radio.Group label={texts.format} value={format} onChange={(value) => setFormat(value === 'ndjson' ? 'ndjson' : 'csv')}>
        <div className={classes['choices']}>
          <Radio value="csv" label={texts.csv} />
          <Radio value="ndjson" label={texts.ndjson} />
        </div>
      </Radio.Group>
      <p className={classes['help']}>{texts.help}</p>
      <DialogButtons>
        <Button variant="default" onClick={onClose}>{common.cancel}</Button>
        <Button component="a" href={addressOf(format)} download leftSection={<DownloadIcon />} onClick={onClose}>{texts.download}</Button>
      </DialogButtons>
    </Dialog>
  );
}

import type { ReactNode, SVGProps } from 'react';

type IconProps = SVGProps<SVGSVGElement> & { readonly size?: number };

/** Hidden from screen readers: the button or text beside it has the name. */
function icon(path: ReactNode) {
  return function Icon({ size = 16, ...props }: IconProps) {
    return (
      <svg width={size} height={size} viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth={1.5} strokeLinecap="round" strokeLinejoin="round" aria-hidden="true" {...props}>
        {path}
      </svg>
    );
  };
}

export const MenuIcon = icon(<path d="M2 4h12M2 8h12M2 12h12" />);
export const SearchIcon = icon(<><circle cx="7" cy="7" r="4.5" /><path d="m10.5 10.5 3.5 3.5" /></>);
export const PersonIcon = icon(<><circle cx="8" cy="5.5" r="2.75" /><path d="M2.5 14c.6-3 2.8-4.5 5.5-4.5s4.9 1.5 5.5 4.5" /></>);
export const CopyIcon = icon(<><rect x="5.5" y="5.5" width="8" height="8" rx="1.5" /><path d="M10.5 5.500V4A1.500 1.500 0 0 0 9 2.500H4A1.500 1.500 0 0 0 2.500 4v5A1.500 1.500 0 0 0 4 10.500h1.500" /></>);
export const CheckIcon = icon(<path d="m3 8.500 3.500 3.500L13 4.500" />);
export const CloseIcon = icon(<path d="m4 4 8 8M12 4l-8 8" />);
export const DownIcon = icon(<path d="m4 6 4 4 4-4" />);
export const RightIcon = icon(<path d="m6 4 4 4-4 4" />);
export const LeftIcon = icon(<path d="m10 4-4 4 4 4" />);
export const WarningIcon = icon(<><path d="M8 2.500 14.500 13.500h-13z" /><path d="M8 6.500v3.500M8 12v.1" /></>);
export const InfoIcon = icon(<><circle cx="8" cy="8" r="6" /><path d="M8 7.500v3.500M8 5v.1" /></>);
export const KeyIcon = icon(<><circle cx="5.500" cy="10.500" r="3" /><path d="m7.700 8.300 5.800-5.800M11 5l2 2" /></>);
export const SunIcon = icon(<><circle cx="8" cy="8" r="3" /><path d="M8 1.500v1M8 13.500v1M1.500 8h1M13.500 8h1M3.400 3.400l.7.7M11.900 11.900l.7.7M3.400 12.600l.7-.7M11.900 4.100l.7-.7" /></>);
export const MoonIcon = icon(<path d="M13 9.500A5.500 5.500 0 0 1 6.500 3 5.500 5.500 0 1 0 13 9.500z" />);
export const DownloadIcon = icon(<path d="M8 2.500v7.500m0 0 3-3m-3 3-3-3M3 13.500h10" />);
export const MoreIcon = icon(<path d="M3.500 8h.01M8 8h.01M12.500 8h.01" strokeWidth={2.5} />);
export const PlusIcon = icon(<path d="M8 3v10M3 8h10" />);
export const StopIcon = icon(<rect x="4" y="4" width="8" height="8" rx="1" />);
export const ColumnsIcon = icon(<><rect x="2.5" y="2.5" width="11" height="11" rx="1.5" /><path d="M6.200 2.500v11M9.800 2.500v11" /></>);
export const FilterIcon = icon(<path d="M2 4h12M4.500 8h7M6.500 12h3" />);
export const LinkIcon = icon(<path d="M6 4H4a1.500 1.500 0 0 0-1.500 1.500V12A1.500 1.500 0 0 0 4 13.500h6.500A1.500 1.500 0 0 0 12 12v-2M9 2.500h4.500V7M13.500 2.500 7.500 8.500" />);

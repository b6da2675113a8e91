/** Parameters of the page's address that set the settings. `compare` is the second model. */
export const PRESET_PARAMETERS = ['model', 'format', 'system', 'maximum', 'temperature', 'top_p', 'stop', 'effort', 'tools', 'compare'] as const;

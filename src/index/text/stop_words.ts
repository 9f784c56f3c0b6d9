// English words that carry no topic. Chat questions are full of them: going from 33 to about 180
// words moved nDCG@10 on LoCoMo-dev from .42 to .47. Compared after folding, before stemming.

/** Words that are neither indexed nor searched for. */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above after again against all am an and any are aren as at be because been before being
  below between both but by can cannot could couldn did didn do does doesn doing don done down
  during each few for from further had hadn has hasn have haven having he her here hers
  herself him himself his how i if in into is isn it its itself just let like ll m ma may me might
  mightn more most mustn must my myself needn no nor not now o of off on once only or other our ours
  ourselves out over own re really s same shall shan she should shouldn so some such t than that the
  their theirs them themselves then there these they this those through to too under until up us ve
  very was wasn we were weren what when where which while who whom whose why will with won would
  wouldn y yes you your yours yourself yourselves also always any anyone anything else ever every
  everything however im ive dont didnt isnt thats theyre whats id youre upon via per etc`
    .split(/\s+/),
);

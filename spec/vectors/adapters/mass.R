# MASS as a candidate: vectors run --candidate 'Rscript mass.R' lda qda
suppressMessages({library(MASS); library(jsonlite)})
p <- fromJSON(paste(readLines(file("stdin")), collapse = ""), simplifyVector = TRUE)
say <- function(a) { cat(toJSON(a, digits = NA, auto_unbox = TRUE)); quit(status = 0) }
odd <- setdiff(names(p$parameters), c("priors", "divisor"))
if (!p$method %in% c("lda", "qda") || length(odd) || !is.null(p$weights)) say(list(unsupported = "no such rule"))
ordinary <- list(lda = "n-k", qda = "n-1")[[p$method]]
how <- if (is.null(p$parameters$divisor) || p$parameters$divisor == ordinary) "moment" else "mle"
rule <- list(lda = lda, qda = qda)[[p$method]]
x <- matrix(as.numeric(p$x), ncol = ncol(p$x))
given <- list(x, factor(p$y), method = how)
if (!is.null(p$parameters$priors)) given$prior <- p$parameters$priors
model <- tryCatch(do.call(rule, given), error = function(e) say(list(refusal = list(got = conditionMessage(e)))))
out <- predict(model, matrix(as.numeric(p$query), ncol = ncol(p$x)))
labels <- as.character(out$class)
if (is.numeric(p$y)) labels <- as.numeric(labels)
say(list(arithmetic = "float", fitted = list(means = model$means, priors = unname(model$prior)),
         predictions = list(labels = labels, posterior = unname(out$posterior))))

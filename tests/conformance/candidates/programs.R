# R's programs as candidates: Rscript programs.R PROGRAM; a problem a line in, a line out.
suppressMessages({library(jsonlite); program <- commandArgs(TRUE)[1]})
suppressMessages(library(if (program %in% c("fda", "bruto", "mars")) "mda" else if (program == "lm.ridge") "MASS" else
  switch(program, lda = "MASS", qda = "MASS", svm = "e1071", ksvm = "kernlab", earth = "earth"), character.only = TRUE))
model_json <- function(m) toJSON(digits = NA, auto_unbox = TRUE, null = "null", if (inherits(m, "svm"))
  list(program = "e1071", index = I(m$index), coefs = m$coefs, rho = I(m$rho), labels = m$levels[m$labels])
else if (inherits(m, "ksvm"))
  list(program = "kernlab", index = kernlab::alphaindex(m), coef = kernlab::coef(m), b = I(kernlab::b(m)), labels = kernlab::lev(m))
else if (inherits(m, "qda"))
  list(program = "MASS", labels = m$lev, means = unname(m$means), prior = I(unname(m$prior)), ldet = I(m$ldet),
       scaling = lapply(seq_along(m$lev), function(k) unname(m$scaling[, , k])))
else list(program = "MASS", labels = m$lev, means = unname(m$means), prior = I(unname(m$prior)), scaling = unname(m$scaling)))
unsupported <- function(why) stop(structure(list(message = why, call = NULL), class = c("unsupported", "error", "condition")))
only <- function(p, names) if (length(odd <- setdiff(names(p$parameters), names))) unsupported(paste(odd, collapse = " "))
kernel_of <- function(p) { k <- p$parameters$kernel; if (is.null(k)) list(name = "linear") else if (is.character(k)) list(name = k) else as.list(k) }
answer <- function(p) {
  x <- do.call(rbind, lapply(p$x, as.numeric)); y <- unlist(p$y); C <- p$parameters$C; if (is.null(C)) C <- 1
  if (!is.null(p$weights)) unsupported("weights")
  if (program %in% c("lda", "qda")) {
    if (p$method != program) unsupported(p$method)
    only(p, c("priors", "divisor"))
    given <- list(x, factor(y), method = if (identical(p$parameters$divisor, "n")) "mle" else "moment")
    if (!is.null(p$parameters$priors)) given$prior <- unlist(p$parameters$priors)
    m <- do.call(program, given)
    answered <- list(model = model_json(m))
    if (!is.null(p$query)) {
      out <- predict(m, do.call(rbind, lapply(p$query, as.numeric)))
      labels <- as.character(out$class)
      answered$predictions <- list(labels = I(if (is.numeric(y)) as.numeric(labels) else labels), posterior = unname(out$posterior))
    }
    return(answered)
  }
  if (program %in% c("fda", "bruto", "mars", "earth")) {
    need <- c(fda = "fda", bruto = "bruto", mars = "mars", earth = "mars")[[program]]
    if (p$method != need || is.null(p$query)) unsupported(p$method)
    only(p, character(0))
    query <- do.call(rbind, lapply(p$query, as.numeric))
    if (program == "fda") {
      data <- data.frame(x, y = factor(y)); new <- setNames(data.frame(query), setdiff(names(data), "y"))
      m <- fda(y ~ ., data = data)
      return(list(answer = list(arithmetic = "float", predictions = list(posterior = unname(predict(m, new, type = "posterior"))))))
    }
    m <- switch(program, bruto = bruto(x, y), mars = mars(x, y), earth = earth(x, y))
    return(list(answer = list(arithmetic = "float", predictions = list(labels = I(as.numeric(predict(m, query)))))))
  }
  if (!p$method %in% c("svc", "svr") || identical(C, "inf")) unsupported(p$method)
  only(p, c("C", "kernel", "epsilon")); k <- kernel_of(p); epsilon <- p$parameters$epsilon; if (is.null(epsilon)) epsilon <- 0.1
  kind <- p$method == "svc"; target <- if (kind) factor(y) else as.numeric(y); or <- function(v, d) if (is.null(v)) d else as.numeric(v)
  if (program == "svm") {
    name <- c(linear = "linear", gaussian = "radial", polynomial = "polynomial", sigmoid = "sigmoid")[k$name]
    if (is.na(name)) unsupported(k$name)
    m <- svm(x, target, scale = FALSE, type = if (kind) "C-classification" else "eps-regression", kernel = name, cost = C, epsilon = epsilon,
             gamma = or(k$gamma, or(k$scale, or(k$a, 1))), coef0 = or(k$c, or(k$b, if (k$name == "polynomial") 1 else 0)), degree = or(k$degree, 3), fitted = FALSE)
  } else {
    own <- switch(k$name, linear = vanilladot(), gaussian = rbfdot(sigma = k$gamma),
                  polynomial = polydot(degree = or(k$degree, 3), scale = or(k$scale, 1), offset = or(k$c, 1)),
                  laplacian = laplacedot(sigma = 1 / k$sigma), sigmoid = tanhdot(scale = or(k$a, 1), offset = or(k$b, 0)), unsupported(k$name))
    m <- ksvm(x, target, scaled = FALSE, type = if (kind) "C-svc" else "eps-svr", kernel = own, C = C, epsilon = epsilon, fit = FALSE)
  }
  list(model = model_json(m))
}
input <- file("stdin", "r")
while (length(line <- readLines(input, 1))) {
  said <- tryCatch(answer(fromJSON(line, simplifyVector = FALSE)), unsupported = function(e) list(unsupported = conditionMessage(e)),
                   error = function(e) list(refusal = list(got = substr(conditionMessage(e), 1, 150))))
  if (!is.null(said$model)) said$model <- as.character(said$model)
  writeLines(as.character(toJSON(said, digits = NA, auto_unbox = TRUE, null = "null"))); flush(stdout())
}

-- What Quarto adds to pandoc's Markdown, for the written subset of `render.py`: captions with numbers, references,
-- callouts, and links between pages. Everything else that Quarto would treat in its own way is a problem.

local KINDS = { fig = "Figure", tbl = "Table" }
local CALLOUTS = { note = "Note", tip = "Tip", warning = "Warning", important = "Important", caution = "Caution" }
local BLOCKS = { lead = true, ["column-page"] = true, beside = true, stacked = true }
local PLAIN = { console = true, csv = true, text = true }

local numbers = {}
local sections = {}
local identifiers = {}
local counts = { fig = 0, tbl = 0 }

-- For each kind of problem: what is wrong, a hint, and how the text that stands for it looks in the page.
local PROBLEMS = {
  reference = { "unresolved reference %s", "label a figure or table so; the subset has no citations" },
  ["reference with text"] = { "a text within the brackets of the reference %s", "write the text outside: see %s" },
  duplicate = { '"%s" names two things', "give one of them another name" },
  ["no caption"] = { "%s has no caption", "end the block with a paragraph: the caption" },
  div = { 'unknown block "%s"', "blocks are callouts, lead, column-page, beside and stacked" },
  span = { 'unknown span "%s"', "write plain Markdown; the written subset has no spans" },
  heading = { 'unknown class "%s" of a heading', "a heading takes a label only, such as {#sec-scores}" },
  attribute = { 'unknown attribute "%s"', "a callout takes title and collapse", "%s=" },
  page = { 'there is no page "%s"', "link to a page that lies beside this one" },
  anchor = { "the link %s leads nowhere", "give the heading a label such as {#sec-scores}" },
  link = { 'a link to "%s"', "link to pages of the site, parts of this page, or https addresses" },
  image = { 'an image, "%s"', "a drawing is images/name.svg beside the page; page.figure(…) shows charts" },
  raw = { 'raw code, "%s"', "write Markdown; HTML comes from cells only" },
}

-- One line on stderr: the text to look for in the page, what is wrong, a hint, and names that could have been meant.
local function problem(kind, token, candidates)
  token = token:gsub("[%s]", " ")
  local function with_token(text) return (text:gsub("%%s", function() return token end)) end
  local what, hint, looks = table.unpack(PROBLEMS[kind])
  local fields = { "PROBLEM", with_token(looks or "%s"), with_token(what), with_token(hint), table.concat(candidates or {}, " ") }
  io.stderr:write(table.concat(fields, "\t"), "\n")
end

local function with_sign(sign, ...)
  local keys = {}
  for _, set in ipairs({ ... }) do
    for key in pairs(set) do keys[#keys + 1] = sign .. key end
  end
  table.sort(keys)
  return keys
end

local function kind_of(identifier)
  local kind = identifier:match("^(%l+)%-")
  return KINDS[kind] and kind
end

local function collect(element)
  local identifier = element.identifier
  if identifier == "" then return end
  if identifiers[identifier] then problem("duplicate", identifier) end
  identifiers[identifier] = true
  local kind = kind_of(identifier)
  if kind and element.t ~= "Header" then
    counts[kind] = counts[kind] + 1
    numbers[identifier] = counts[kind]
  elseif identifier:match("^sec%-") and element.t == "Header" then
    sections[identifier] = element.content
  end
end

local function html(text) return pandoc.RawBlock("html", text) end

local function numbered(identifier, inlines)
  local kind = kind_of(identifier)
  local start = pandoc.Inlines({
    pandoc.Span({ pandoc.Str(KINDS[kind] .. "\u{a0}" .. numbers[identifier] .. ":") }, { class = "number" }),
    pandoc.Space(),
  })
  start:extend(inlines)
  return start
end

local function captioned(div)
  local identifier, blocks = div.identifier, div.content
  local caption = blocks[#blocks]
  if #blocks < 2 or caption.t ~= "Para" then
    problem("no caption", identifier)
    return nil
  end
  blocks:remove(#blocks)
  caption = pandoc.Plain(numbered(identifier, caption.content))
  local out = pandoc.Blocks({ html('<figure id="' .. identifier .. '" class="' .. kind_of(identifier) .. '">') })
  local legend = pandoc.Blocks({ html("<figcaption>"), caption, html("</figcaption>") })
  if kind_of(identifier) == "tbl" then out:extend(legend) end
  out:extend(blocks)
  if kind_of(identifier) == "fig" then out:extend(legend) end
  out:insert(html("</figure>"))
  return out
end

local function callout(div, kind)
  local blocks = div.content
  local title = pandoc.Inlines(CALLOUTS[kind])
  if div.attributes.title then
    title = pandoc.utils.blocks_to_inlines(pandoc.read(div.attributes.title, "markdown").blocks)
  elseif blocks[1] and blocks[1].t == "Header" then
    title = blocks[1].content
    blocks:remove(1)
  end
  local folded = div.attributes.collapse
  local outer, inner = "aside", "p"
  if folded then outer, inner = "details", "summary" end
  local open = folded == "false" and " open" or ""
  local out = pandoc.Blocks({
    html("<" .. outer .. open .. ' class="callout callout-' .. kind .. '"><' .. inner .. ' class="callout-title">'),
    pandoc.Plain(title),
    html("</" .. inner .. ">"),
  })
  out:extend(blocks)
  out:insert(html("</" .. outer .. ">"))
  return out
end

local function known_div(div)
  if kind_of(div.identifier) and #div.classes == 0 then return captioned(div) end
  if div.identifier ~= "" then problem("div", "#" .. div.identifier) return nil end
  local class = div.classes[1] or ""
  local kind = class:match("^callout%-(%l+)$")
  for _, other in ipairs(div.classes) do
    if other ~= class then problem("div", other) end
  end
  for attribute in pairs(div.attributes) do
    if not (kind and (attribute == "title" or attribute == "collapse")) then problem("attribute", attribute) end
  end
  if CALLOUTS[kind] then return callout(div, kind) end
  if not BLOCKS[class] then problem("div", class) end
end

local function reference(citation)
  local identifier = citation.id
  if #citation.prefix > 0 or #citation.suffix > 0 then problem("reference with text", "@" .. identifier) end
  if sections[identifier] then return pandoc.Link(sections[identifier], "#" .. identifier) end
  if not numbers[identifier] then
    problem("reference", "@" .. identifier, with_sign("@", numbers, sections))
    return pandoc.Str("?")
  end
  local text = tostring(numbers[identifier])
  if citation.mode ~= "SuppressAuthor" then text = KINDS[kind_of(identifier)] .. "\u{a0}" .. text end
  return pandoc.Link({ pandoc.Str(text) }, "#" .. identifier)
end

local function references(cite)
  local out = pandoc.Inlines({})
  for number, citation in ipairs(cite.citations) do
    if number > 1 then out:extend({ pandoc.Str(","), pandoc.Space() }) end
    out:insert(reference(citation))
  end
  return out
end

-- For a language that is not one of the names of its highlighter, pandoc reads the definitions of all languages, which
-- takes it half a second.
local function code(block)
  local language = block.classes[1]
  if language == "sh" then
    block.classes[1] = "bash"
    return block
  end
  if not PLAIN[language] or #block.classes > 1 or block.identifier ~= "" then return nil end
  local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;" }
  return html('<pre class="' .. language .. '"><code>' .. block.text:gsub("[&<>\"']", entities) .. "</code></pre>")
end

-- A drawing beside the page stands within it, in colours that follow the page, and scrolls where there is no room.
local function drawing(paragraph)
  local image = paragraph.content[1]
  if #paragraph.content ~= 1 or image.t ~= "Image" then return nil end
  local file = io.open(image.src)
  if not file then return problem("image", image.src) end
  local svg = file:read("a")
  file:close()
  local alt = (image.attributes["fig-alt"] or ""):gsub("&", "&amp;"):gsub('"', "&quot;"):gsub("<", "&lt;")
  svg = svg:gsub("<svg", function(start) return start .. ' role="img" aria-label="' .. alt .. '"' end, 1)
  return html('<div class="chart"><div class="picture">' .. svg .. "</div></div>")
end

local function check_page(name)
  local folder, ending = name:match("^%.%./reports/") or name:match("^%.%./") or name:match("^docs/") or "", name:match("%.%w+$")
  local file = not name:sub(#folder + 1):find("/") and io.open(name)
  if file then return file:close() end
  local beside = pandoc.system.list_directory(".")
  problem("page", name, pandoc.List(beside):filter(function(other) return other:sub(-#ending) == ending end))
end

-- A link to the source of a page leads to the page of the site: name.qmd to name.html, name.md to docs-name.html.
local function link(element)
  local target = element.target
  local page, part = target:match("^([^#]*%.qmd)(#?.*)$")
  if page then
    check_page(page)
    element.target = page:gsub("^%.%./reports/", ""):gsub("%.qmd$", ".html") .. part
    return element
  end
  local document, place = target:match("^([^#]*)%.md(#?.*)$")
  if document and not target:match("^https?://") then
    check_page(document .. ".md")
    local stem = document:match("[^/]*$") -- the changelog lies beside the folder
    element.target = "docs-" .. stem .. ".html" .. place -- as `document_address` has it
    return element
  end
  local anchor = target:match("^#(.+)$")
  if anchor then
    if not identifiers[anchor] then problem("anchor", target, with_sign("#", identifiers)) end
  elseif not (target:match("^https?://") or target:match("^mailto:") or target:match("^[%w_.-]+%.html$")
      or target:match("^[%w_.-]+%.html#")) then
    problem("link", target)
  end
end

local function raw(element)
  if element.format == "html" and element.text:match("^%s*<!%-%-.*%-%->%s*$") then
    if element.text:match("^<!%-%-output %d+%-%->$") then return nil end
    return {}
  end
  problem("raw", element.text:match("^%s*([^\n]*)"))
end

-- Minus signs before numbers. Apostrophes stay as they are: names of algorithms may have some.
local function printed(word)
  return pandoc.Str((word.text:gsub("^([(%[]*)%-(%.?%d)", "%1−%2")))
end

-- No line begins with the percent sign of a number.
local function unbroken(inlines)
  for place = 2, #inlines - 1 do
    local before, after = inlines[place - 1], inlines[place + 1]
    local is_space = inlines[place].t == "Space" or inlines[place].t == "SoftBreak"
    if is_space and before.t == "Str" and after.t == "Str" and before.text:match("%d$") and after.text:match("^%%") then
      inlines[place] = pandoc.Str("\u{a0}")
    end
  end
  return inlines
end

function Pandoc(document)
  document:walk({ traverse = "topdown", Div = collect, Header = collect, Table = collect, Figure = collect, Span = collect })
  return document:walk({
    Image = function(image)
      if not image.src:match("^images/[%w_-]+%.svg$") then problem("image", image.src) end
    end,
    RawBlock = raw,
    RawInline = raw,
    Span = function(span) problem("span", span.classes[1] or span.identifier) end,
    Str = printed,
    Inlines = unbroken,
    Header = function(header)
      for _, class in ipairs(header.classes) do problem("heading", class) end
    end,
    CodeBlock = function(block)
      for attribute in pairs(block.attributes) do problem("attribute", attribute) end
    end,
  }):walk({ Link = link }):walk({ Cite = references }):walk({
    Table = function(element)
      if numbers[element.identifier] then
        local caption = element.caption.long[1]
        if caption then caption.content = numbered(element.identifier, caption.content) end
      end
      -- The first cell of a row says what the row is about.
      for _, body in ipairs(element.bodies) do
        if #element.colspecs > 1 then body.row_head_columns = 1 end
      end
      -- Two columns of sentences fit any width, in the order in which they were written.
      local class = #element.colspecs == 2 and "scroll text" or "scroll"
      return { html('<div class="' .. class .. '">'), element, html("</div>") }
    end,
    CodeBlock = code,
    Para = drawing,
    Div = known_div,
  })
end
